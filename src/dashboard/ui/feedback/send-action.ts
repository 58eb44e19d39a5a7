import { createAtom, useSelector } from '@tanstack/react-store'
import { onPageLeave } from '../../api/page-leave.ts'
import type { Outcome } from '../../api/send-each.ts'
import { announce, toast, toastFailure } from './toasts.ts'

export type LaterVerb = 'delete' | 'retry' | 'backfill'

type Undoable = {
  verb: LaterVerb
  /** Ids of the affected items: lists show these as pending, and a second action on one of them sends the first at once. */
  on: readonly string[]
  /** What is about to happen: "Deleting Orders". */
  label: string
  /** Called when the action is undone. */
  onUndo?: () => void
}

export type LaterAction<ResponseBody = unknown> = Undoable & {
  /** Message of a failure, followed by the service's message: "Orders could not be deleted." */
  failed: string
  /** Resolves when the lists are fresh. Must not depend on a mounted component: use a mutation's `mutateAsync`, or `call`. */
  send: () => Promise<ResponseBody>
  /** Message of a success; none if omitted. */
  done?: string | ((response: ResponseBody) => string)
}

type SeveralAction<Item> = Undoable & {
  /** Returns the message for items that could not be sent, followed by the first error's message. */
  failed: (items: readonly Item[]) => string
  /** Resolves when the lists are fresh. */
  send: (items: readonly Item[]) => Promise<Outcome<Item, unknown>>
  /** Message when all items were sent. */
  done: string
}

type Waiting = {
  verb: LaterVerb
  on: readonly string[]
  sendNow: () => Promise<void>
  cancel: () => void
}

const waiting = createAtom<readonly Waiting[]>([])
/** The pending action of each item, by the item's id. */
const verbs = createAtom(
  () => new Map(waiting.get().flatMap(({ on, verb }) => on.map((id) => [id, verb] as const))),
)

/**
 * Sends an action after six seconds, and offers Undo until then. If the page is left before that, a deletion is cancelled
 * and any other action is sent at once. A second action on the same item also sends the first. A failure offers Retry.
 */
export function sendLater<ResponseBody>(action: LaterAction<ResponseBody>): void {
  wait(action, () => send(action))
}

/** Performs an action on several items, like `sendLater`. Retry sends only the items that failed. */
export function sendSeveralLater<Item>(items: readonly Item[], action: SeveralAction<Item>): void {
  wait(action, () => sendSeveral(items, action))
}

function wait({ verb, on, label, onUndo }: Undoable, send: () => Promise<void>): void {
  for (const other of waiting.get()) if (other.on.some((id) => on.includes(id))) void other.sendNow()
  let sent: Promise<void> | null = null
  const forget = () => waiting.set((all) => all.filter((other) => other !== entry))
  const sendNow = () => {
    // Sent before anything is rendered: a page that is being left may not get to render.
    sent ??= send().finally(forget)
    closeToast()
    return sent
  }
  const cancel = () => {
    if (sent) return
    forget()
    closeToast()
  }
  const entry: Waiting = { verb, on, sendNow, cancel }
  const undo = () => {
    forget()
    onUndo?.()
  }
  const closeToast = announce(label, { undo, due: () => void sendNow() })
  waiting.set((others) => [...others, entry])
}

/** Sends all pending actions, or those that are not deletions; resolves when all have settled. */
export async function sendAllNow({ deletions = true } = {}): Promise<void> {
  const due = waiting.get().filter(({ verb }) => deletions || verb !== 'delete')
  await Promise.all(due.map((entry) => entry.sendNow()))
}

/** Cancels pending deletions. */
export function cancelDeletions(): void {
  const pending = waiting.get().filter(({ verb }) => verb === 'delete')
  if (pending.length === 0) return
  for (const entry of pending) entry.cancel()
  toast('Nothing was deleted: you left before the deletion began.')
}

/**
 * Sends pending retries and backfills when the page is left or hidden, and cancels pending deletions when the page is left,
 * also by Back within the dashboard. Call once.
 */
export function settleWhenPageIsLeft(): void {
  onPageLeave(() => void sendAllNow({ deletions: false }))
  for (const event of ['pagehide', 'popstate']) addEventListener(event, cancelDeletions)
}

/** Returns the pending action on the item with this id, or null. */
export function useWaiting(id: string): LaterVerb | null {
  return useSelector(verbs, (current) => current.get(id) ?? null)
}

async function send<ResponseBody>(action: LaterAction<ResponseBody>): Promise<void> {
  try {
    const response = await action.send()
    const { done } = action
    if (done !== undefined) toast(typeof done === 'string' ? done : done(response))
  } catch (error) {
    toastFailure(action.failed, () => void send(action))(error)
  }
}

async function sendSeveral<Item>(items: readonly Item[], action: SeveralAction<Item>): Promise<void> {
  const retry = (left: readonly Item[], error: unknown) =>
    toastFailure(action.failed(left), () => void sendSeveral(left, action))(error)
  try {
    const { failed } = await action.send(items)
    const [first] = failed
    if (!first) return toast(action.done)
    retry(
      failed.map(({ item }) => item),
      first.error,
    )
  } catch (error) {
    retry(items, error)
  }
}
