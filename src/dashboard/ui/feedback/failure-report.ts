import { createAtom, useSelector } from '@tanstack/react-store'

/** The failures of an action on many items. */
export type FailureReport = {
  /** `3 of 12 exports could not be paused` */
  title: string
  failures: readonly { id: string; name: string; why: string }[]
  /** Retries the failed items. */
  retry: () => void
}

const current = createAtom<FailureReport | null>(null)

/** Shows a report on the current list, or on the next one that is opened; null removes it. */
export function reportFailures(report: FailureReport | null): void {
  current.set(report)
}

export function useFailureReport(): FailureReport | null {
  return useSelector(current)
}
