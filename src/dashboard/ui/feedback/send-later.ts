import { createAtom, useSelector } from '@tanstack/react-store'
import { whenLeft } from '../../api/leaving.ts'
import type { Outcome } from '../../api/send-each.ts'
import { announce, toast, toastFailure } from './toasts.ts'

export type LaterVerb = 'delete' | 'retry' | 'backfill'

type Undoable = {
  verb: LaterVerb
  /** Ids of what it acts on: lists show these as waiting, and a second action on one of them sends the first at once. */
  on: readonly string[]
  /** What is about to happen: "Deleting Orders". */
  label: string
  /** Hears when it is taken back. */
  onUndo?: () => void
}

export type LaterAction<Answer = unknown> = Undoable & {
  /** What is said when it did not work, before the service's words: "Orders could not be deleted." */
  failed: string
  /** Sends it, and is done when the lists are fresh. It must not depend on a component that may be gone: a mutation's `mutateAsync`, or `call`. */
  send: () => Promise<Answer>
  /** What is said when it worked; nothing without it. */
  done?: string | ((answer: Answer) => string)
}

type SeveralAction<Item> = Undoable & {
  /** What is said, before the first error's words, when these items could not be sent. */
  failed: (items: readonly Item[]) => string
  /** Sends the items, and is done when the lists are fresh. */
  send: (items: readonly Item[]) => Promise<Outcome<Item, unknown>>
  /** What is said when all items are sent. */
  done: string
}

type Waiting = { verb: LaterVerb; on: readonly string[]; sendNow: () => Promise<void> }

const waiting = createAtom<readonly Waiting[]>([])
/** What is about to happen, by the id of the thing that it happens to. */
const verbs = createAtom(
  () => new Map(waiting.get().flatMap(({ on, verb }) => on.map((id) => [id, verb] as const))),
)

/**
 * Does something in six seconds, and offers to undo it until then. It is sent at once when the page is left or hidden, or when
 * another action on the same thing follows. A failure is told with a way to try again.
 */
export function sendLater<Answer>(action: LaterAction<Answer>): void {
  wait(action, () => send(action))
}

/** Does the same with several items at once. Trying again sends only the items that failed. */
export function sendSeveralLater<Item>(items: readonly Item[], action: SeveralAction<Item>): void {
  wait(action, () => sendSeveral(items, action))
}

function wait({ verb, on, label, onUndo }: Undoable, send: () => Promise<void>): void {
  for (const other of waiting.get()) if (other.on.some((id) => on.includes(id))) void other.sendNow()
  let sent: Promise<void> | null = null
  const forget = () => waiting.set((all) => all.filter((other) => other !== entry))
  const sendNow = () => {
    // First of all: a page that is being left may have no time to draw anything.
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

/** Sends everything that still could be undone; done when all of it is answered. */
export async function sendAllNow(): Promise<void> {
  await Promise.all(waiting.get().map((entry) => entry.sendNow()))
}

/** Leaving or hiding the page sends what waits; to be called once. */
export function sendWhenPageIsLeft(): void {
  whenLeft(() => void sendAllNow())
}

/** What is about to happen to the thing with this id, null when nothing is. */
export function useWaiting(id: string): LaterVerb | null {
  return useSelector(verbs, (current) => current.get(id) ?? null)
}

async function send<Answer>(action: LaterAction<Answer>): Promise<void> {
  try {
    const answer = await action.send()
    const { done } = action
    if (done !== undefined) toast(typeof done === 'string' ? done : done(answer))
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(String(error))
    toastFailure(action.failed, () => void send(action))(cause)
  }
}

async function sendSeveral<Item>(items: readonly Item[], action: SeveralAction<Item>): Promise<void> {
  const { failed } = await action.send(items)
  const [first] = failed
  if (!first) return toast(action.done)
  const left = failed.map(({ item }) => item)
  toastFailure(action.failed(left), () => void sendSeveral(left, action))(first.error)
}
