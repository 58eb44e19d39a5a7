import type { RateCounts } from '../../auth/rate-counts.ts'
import { throttled } from '../../auth/rate-limit.ts'

const wrongAttemptsMax = 10

/** Limits the wrong passwords per link and address, so that nobody can lock out others. */
export type SharingAttempts = ReturnType<typeof countSharingAttempts>

export function countSharingAttempts(counts: RateCounts) {
  const add = (linkId: string, address: string, attempts: number) =>
    counts.add(`password ${linkId} ${address}`, wrongAttemptsMax, attempts)
  return {
    /**
     * Counts an attempt as wrong before the password is checked, so that concurrent attempts cannot exceed the limit.
     * @throws ApiError 429 for the rest of the minute after the tenth wrong attempt.
     */
    begin(linkId: string, address: string) {
      if (!add(linkId, address, 1)) throw throttled(counts.secondsLeft())
    },
    /** Subtracts the attempt again after a correct password. */
    succeeded(linkId: string, address: string) {
      add(linkId, address, -1)
    },
  }
}
