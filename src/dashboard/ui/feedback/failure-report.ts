import { createAtom, useSelector } from '@tanstack/react-store'

/** What did not work of something that was done to many. */
export type FailureReport = {
  /** `3 of 12 exports could not be paused` */
  title: string
  failures: readonly { id: string; name: string; why: string }[]
  /** Does it again for those that failed. */
  retry: () => void
}

const current = createAtom<FailureReport | null>(null)

/** Shows a report on the list that is open, now or when one is opened next; null takes it away. */
export function reportFailures(report: FailureReport | null): void {
  current.set(report)
}

export function useFailureReport(): FailureReport | null {
  return useSelector(current)
}
