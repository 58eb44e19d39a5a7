import { createAtom } from '@tanstack/react-store'
import { ApiProblem } from '../../api/problem.ts'

export type Toast = {
  id: number
  text: string
  tone: 'plain' | 'failed'
  /** Small print, such as a request id. */
  note?: string | undefined
  undo?: (() => void) | undefined
  retry?: (() => void) | undefined
  /** A further step, named by its button. */
  more?: { label: string; run: () => void } | undefined
  /** Time until the toast closes; shown as a ring if the toast is `awaited`. */
  countdown?: ReturnType<typeof startCountdown> | undefined
  /** An action follows at the end of the countdown; until then the toast cannot be closed, only undone. */
  awaited?: boolean | undefined
}

/** Time (ms) for which a toast stays, and for which an action can be undone. */
export const toastMs = 6_000

/** The toasts on the page, newest last. */
export const toasts = createAtom<readonly Toast[]>([])
let lastId = 0

type ToastOptions = Pick<Toast, 'note' | 'undo' | 'retry' | 'more'> & { tone?: Toast['tone'] }

/** Shows a message for six seconds; failures stay until they are closed. */
export function toast(text: string, { tone = 'plain', ...rest }: ToastOptions = {}): void {
  const id = ++lastId
  const countdown = tone === 'plain' ? startCountdown(toastMs, () => closeToast(id)) : undefined
  // At most three toasts, not counting those of pending actions.
  const passing = toasts
    .get()
    .filter((toast) => !toast.awaited)
    .slice(0, -2)
  for (const old of passing) old.countdown?.cancel()
  const added: Toast = { id, text, tone, countdown, ...rest }
  toasts.set((shown) => [...shown.filter((toast) => !passing.includes(toast)), added])
}

/** Announces an action that is due after six seconds unless undone. Returns a function that closes the toast early. */
export function announce(text: string, action: { undo: () => void; due: () => void }): () => void {
  const id = ++lastId
  const end = (then?: () => void) => {
    closeToast(id)
    then?.()
  }
  const countdown = startCountdown(toastMs, () => end(action.due))
  const added: Toast = { id, text, tone: 'plain', undo: action.undo, countdown, awaited: true }
  toasts.set((shown) => [...shown, added])
  return () => end()
}

/** Returns an error handler that reports a failed action with the service's message. */
export function toastFailure(what: string, retry?: () => void): (error: unknown) => void {
  return (error) => {
    const requestId = error instanceof ApiProblem ? error.requestId : null
    const note = requestId === null ? undefined : `Request ${requestId}`
    toast(`${what} ${error instanceof Error ? error.message : String(error)}`, {
      tone: 'failed',
      note,
      retry,
    })
  }
}

export function closeToast(id: number): void {
  countdownOf(id)?.cancel()
  toasts.set((shown) => shown.filter((toast) => toast.id !== id))
}

/** Undoes the newest action that can be undone. */
export function undoNewest(): void {
  const newest = toasts.get().findLast(({ undo }) => undo !== undefined)
  if (!newest) return
  closeToast(newest.id)
  newest.undo?.()
}

/** Stops a toast's countdown while it is hovered or focused. */
export function holdToast(id: number): void {
  countdownOf(id)?.hold()
  toasts.set((shown) => [...shown])
}

export function releaseToast(id: number): void {
  countdownOf(id)?.release()
  toasts.set((shown) => [...shown])
}

function countdownOf(id: number) {
  return toasts.get().find((toast) => toast.id === id)?.countdown
}

/** Copies a text and shows `message`; shows `problem` if the browser blocks copying. */
export function copyText(text: string, message: string, problem = 'The browser blocked copying.') {
  return navigator.clipboard.writeText(text).then(
    () => toast(message),
    () => toast(problem, { tone: 'failed' }),
  )
}

/** Shortest time (ms) left after a hold. */
const remainingMsMin = 1_000

/** Starts a countdown that can be held; calls `onEnd` once. */
export function startCountdown(lengthMs: number, onEnd: () => void) {
  let endsAt = Date.now() + lengthMs
  let heldAt: number | null = null
  let timer = setTimeout(onEnd, lengthMs)
  /** Returns the milliseconds left. */
  const remaining = () => Math.max(0, endsAt - (heldAt ?? Date.now()))
  return {
    /** Stops the countdown while the user reads or reaches for the button. */
    hold: () => {
      if (heldAt !== null) return
      clearTimeout(timer)
      heldAt = Date.now()
    },
    /** Continues the countdown, with at least a second left. */
    release: () => {
      if (heldAt === null) return
      const left = Math.max(remainingMsMin, remaining())
      heldAt = null
      endsAt = Date.now() + left
      timer = setTimeout(onEnd, left)
    },
    /** Stops the countdown without calling `onEnd`. */
    cancel: () => clearTimeout(timer),
    remaining,
    isHeld: () => heldAt !== null,
  }
}
