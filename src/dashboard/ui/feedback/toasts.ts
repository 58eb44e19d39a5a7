import { createAtom } from '@tanstack/react-store'
import { ApiProblem } from '../../api/problem.ts'
import { startCountdown, type Countdown } from './countdown.ts'

export type Toast = {
  id: number
  text: string
  tone: 'plain' | 'failed'
  /** Small print: a request's id. */
  note?: string | undefined
  undo?: (() => void) | undefined
  retry?: (() => void) | undefined
  /** Runs a time down, shown as a ring when something happens at its end. */
  countdown?: Countdown | undefined
  /** Something happens at the end of the countdown; until then it cannot be closed, only undone. */
  awaited?: boolean | undefined
}

/** How long a toast stays, and how long an action can be undone. */
export const toastMs = 6_000

/** The toasts on the page, the newest last. */
export const toasts = createAtom<readonly Toast[]>([])
let lastId = 0

type ToastOptions = Pick<Toast, 'note' | 'undo' | 'retry'> & { tone?: Toast['tone'] }

/** Says something for six seconds, or until it is closed when it reports a failure. */
export function toast(text: string, { tone = 'plain', ...rest }: ToastOptions = {}): void {
  const id = ++lastId
  const countdown = tone === 'plain' ? startCountdown(toastMs, () => closeToast(id)) : undefined
  // No more than three at a time, but those that somebody waits for all stay.
  const passing = toasts
    .get()
    .filter((toast) => !toast.awaited)
    .slice(0, -2)
  for (const old of passing) old.countdown?.cancel()
  const added: Toast = { id, text, tone, countdown, ...rest }
  toasts.set((shown) => [...shown.filter((toast) => !passing.includes(toast)), added])
}

/** Says what happens in six seconds unless it is undone. The answer takes the toast away before its time. */
export function announce(text: string, act: { undo: () => void; due: () => void }): () => void {
  const id = ++lastId
  const end = (then?: () => void) => {
    closeToast(id)
    then?.()
  }
  const countdown = startCountdown(toastMs, () => end(act.due))
  const added: Toast = { id, text, tone: 'plain', undo: act.undo, countdown, awaited: true }
  toasts.set((shown) => [...shown, added])
  return () => end()
}

/** Reports a failed action in the service's own words. */
export function toastFailure(what: string, retry?: () => void): (error: Error) => void {
  return (error) => {
    const requestId = error instanceof ApiProblem ? error.requestId : null
    const note = requestId === null ? undefined : `Request ${requestId}`
    toast(`${what} ${error.message}`, { tone: 'failed', note, retry })
  }
}

export function closeToast(id: number): void {
  countdownOf(id)?.cancel()
  toasts.set((shown) => shown.filter((toast) => toast.id !== id))
}

/** Takes back the newest action that can be. */
export function undoNewest(): void {
  const newest = toasts.get().findLast(({ undo }) => undo !== undefined)
  if (!newest) return
  closeToast(newest.id)
  newest.undo?.()
}

/** A toast does not run out while somebody points at it or has the focus in it. */
export function holdToast(id: number): void {
  countdownOf(id)?.hold()
  toasts.set((shown) => [...shown])
}

export function releaseToast(id: number): void {
  countdownOf(id)?.release()
  toasts.set((shown) => [...shown])
}

function countdownOf(id: number): Countdown | undefined {
  return toasts.get().find((toast) => toast.id === id)?.countdown
}
