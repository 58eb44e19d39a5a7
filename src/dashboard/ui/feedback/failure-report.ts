import { useSyncExternalStore } from 'react'

/** What did not work of something that was done to many. */
export type FailureReport = {
  /** `3 of 12 exports could not be paused` */
  title: string
  failures: readonly { id: string; name: string; why: string }[]
  /** Does it again for those that failed. */
  retry: () => void
}

const listeners = new Set<() => void>()
let current: FailureReport | null = null

/** Shows a report on the list that is open, now or when one is opened next; null takes it away. */
export function reportFailures(report: FailureReport | null): void {
  current = report
  for (const listener of listeners) listener()
}

export function useFailureReport(): FailureReport | null {
  return useSyncExternalStore(subscribe, () => current)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
