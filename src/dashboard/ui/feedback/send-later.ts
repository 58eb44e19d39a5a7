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

export type LaterAction<Answer = unknown> = Undoable & {
  /** Message of a failure, followed by the service's message: "Orders could not be deleted." */
  failed: string
  /** Resolves when the lists are fresh. Must not depend on a mounted component: use a mutation's `mutateAsync`, or `call`. */
  send: () => Promise<Answer>
  /** Message of a success; none if omitted. */
  done?: string | ((answer: Answer) => string)
}

type SeveralAction<Item> = Undoable & {
  /** Returns the message for items that could not be sent, followed by the first error's message. */
  failed: (items: readonly Item[]) => string
  /** Resolves when the lists are fresh. */
  send: (items: readonly Item[]) => Promise<Outcome<Item, unknown>>
  /** Message when all items were sent. */
  done: string
}

type Waiting = { verb: LaterVerb; on: readonly string[]; sendNow: () => Promise<void> }

const waiting = createAtom<readonly Waiting[]>([])
/** The pending action of each item, by the item's id. */
const verbs = createAtom(
  () => new Map(waiting.get().flatMap(({ on, verb }) => on.map((id) => [id, verb] as const))),
)

/**
 * Performs an action in six seconds, and offers Undo until then. The action is sent at once when the page is left or hidden, or
 * when another action on the same item follows. A failure offers Retry.
 */
export function sendLater<Answer>(action: LaterAction<Answer>): void {
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
  const entry: Waiting = { verb, on, sendNow }
  const undo = () => {
    forget()
    onUndo?.()
  }
  const closeToast = announce(label, { undo, due: () => void sendNow() })
  waiting.set((others) => [...others, entry])
}

/** Sends all pending actions; resolves when all have settled. */
export async function sendAllNow(): Promise<void> {
  await Promise.all(waiting.get().map((entry) => entry.sendNow()))
}

/** Sends pending actions when the page is left or hidden; call once. */
export function sendWhenPageIsLeft(): void {
  onPageLeave(() => void sendAllNow())
}

/** Returns the pending action on the item with this id, or null. */
export function useWaiting(id: string): LaterVerb | null {
  return useSelector(verbs, (current) => current.get(id) ?? null)
}

async function send<Answer>(action: LaterAction<Answer>): Promise<void> {
  try {
    const answer = await action.send()
    const { done } = action
    if (done !== undefined) toast(typeof done === 'string' ? done : done(answer))
  } catch (error) {
    toastFailure(action.failed, () => void send(action))(asError(error))
  }
}

async function sendSeveral<Item>(items: readonly Item[], action: SeveralAction<Item>): Promise<void> {
  const retry = (left: readonly Item[], error: Error) =>
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
    retry(items, asError(error))
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
