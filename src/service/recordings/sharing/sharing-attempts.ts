import type { RateCounts } from '../../auth/rate-counts.ts'
import { throttled } from '../../auth/rate-limit.ts'

const wrongAttemptsMax = 10

/** Limits the wrong passwords per link and address, so that nobody can lock out others. */
export type SharingAttempts = {
  /**
   * Counts an attempt as wrong before the password is checked, so that concurrent attempts cannot exceed the limit.
   * @throws ApiError 429 for the rest of the minute after the tenth wrong attempt.
   */
  begin(linkId: string, address: string): void
  /** Subtracts the attempt again after a correct password. */
  succeeded(linkId: string, address: string): void
}

export function countSharingAttempts(counts: RateCounts): SharingAttempts {
  const add = (linkId: string, address: string, attempts: number) =>
    counts.add(`password ${linkId} ${address}`, wrongAttemptsMax, attempts)
  return {
    begin(linkId, address) {
      if (!add(linkId, address, 1)) throw throttled(counts.secondsLeft())
    },
    succeeded(linkId, address) {
      add(linkId, address, -1)
    },
  }
}
