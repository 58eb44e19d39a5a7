import { createAtom, useSelector } from '@tanstack/react-store'
import { whenLeft } from '../../api/leaving.ts'
import { announce, toast, toastFailure } from './toasts.ts'

export type LaterVerb = 'delete' | 'retry' | 'backfill'

export type LaterAction<Answer = unknown> = {
  verb: LaterVerb
  /** Ids of what it acts on: lists show these as waiting, and a second action on one of them sends the first at once. */
  on: readonly string[]
  /** What is about to happen: "Deleting Orders". */
  label: string
  /** What is said when it did not work, before the service's words: "Orders could not be deleted." */
  failed: string | (() => string)
  /** Sends it, and is done when the lists are fresh. It must not depend on a component that may be gone: a mutation's `mutateAsync`, or `call`. */
  send: () => Promise<Answer>
  /** What is said when it worked; nothing without it. */
  done?: string | ((answer: Answer) => string)
  /** Hears when it is taken back. */
  onUndo?: () => void
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
  for (const other of waiting.get()) if (other.on.some((id) => action.on.includes(id))) void other.sendNow()
  const { verb, on, label, onUndo } = action
  let sent: Promise<void> | null = null
  const forget = () => waiting.set((all) => all.filter((other) => other !== entry))
  const sendNow = () => {
    // First of all: a page that is being left may have no time to draw anything.
    sent ??= send(action).finally(forget)
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
    const { failed } = action
    toastFailure(typeof failed === 'string' ? failed : failed(), () => void send(action))(cause)
  }
}
