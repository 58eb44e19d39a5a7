import { createAtom, useSelector } from '@tanstack/react-store'
import { announce, toast, toastFailure } from './toasts.ts'

/** A change of one object, or of several in one request. */
export type Action<ResponseBody = unknown> = {
  /** Message of a failure, followed by the service's message: "Orders could not be deleted." */
  failed: string
  /** Resolves when the lists are fresh. Must not depend on a mounted component: use a mutation's `mutateAsync`, or `call`. */
  send: () => Promise<ResponseBody>
  /** Message of a success; none if omitted or null. */
  done?: string | ((response: ResponseBody) => string | null)
  /** Undoes the action; offered with the message of a success. */
  undo?: (response: ResponseBody) => void
  /** Called by Retry after a failure instead of sending the same request again. */
  retry?: () => void
}

export type LaterVerb = 'delete' | 'retry' | 'backfill'

export type LaterAction<ResponseBody = unknown> = Action<ResponseBody> & {
  verb: LaterVerb
  /** Ids of the affected items: lists show these as pending, and a second action on one of them sends the first at once. */
  on: readonly string[]
  /** What is about to happen: "Deleting Orders". */
  label: string
  /** Called when the action is undone before it is sent. */
  onUndo?: () => void
}

type Waiting = { verb: LaterVerb; on: readonly string[]; sendNow: () => Promise<void>; cancel: () => void }

const waiting = createAtom<readonly Waiting[]>([])
/** The pending action of each item, by the item's id. */
const verbs = createAtom(
  () => new Map(waiting.get().flatMap(({ on, verb }) => on.map((id) => [id, verb] as const))),
)

/** Sends an action and reports its result; a failure offers Retry. Resolves in both cases. */
export async function sendAction<ResponseBody>(action: Action<ResponseBody>): Promise<void> {
  const { failed, send, done, undo, retry = () => void sendAction(action) } = action
  try {
    const response = await send()
    const text = typeof done === 'function' ? done(response) : done
    if (text !== undefined && text !== null) toast(text, { undo: undo && (() => undo(response)) })
  } catch (error) {
    toastFailure(failed, retry)(error)
  }
}

/**
 * Sends an action after six seconds, and offers Undo until then. If the page is left before that, a deletion is cancelled
 * and any other action is sent at once. A second action on the same item also sends the first.
 */
export function sendLater<ResponseBody>(action: LaterAction<ResponseBody>): void {
  const { verb, on, label, onUndo } = action
  for (const other of waiting.get()) if (other.on.some((id) => on.includes(id))) void other.sendNow()
  let sent: Promise<void> | null = null
  const forget = () => waiting.set((all) => all.filter((other) => other !== entry))
  const sendNow = () => {
    // Sent before anything is rendered: a page that is being left may not get to render.
    sent ??= sendAction(action).finally(forget)
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
  const sendOthers = () => void sendAllNow({ deletions: false })
  // On a busy machine, a page may be closed before it receives any event after `beforeunload`.
  for (const event of ['beforeunload', 'pagehide']) addEventListener(event, sendOthers)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') sendOthers()
  })
  for (const event of ['pagehide', 'popstate']) addEventListener(event, cancelDeletions)
}

/** Returns the pending action on the item with this id, or null. */
export function useWaiting(id: string): LaterVerb | null {
  return useSelector(verbs, (current) => current.get(id) ?? null)
}
