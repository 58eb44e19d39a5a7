import type { Clock } from '../../clock.ts'
import { throttled } from '../../auth/rate-limit.ts'

const wrongAttemptsMax = 10
const waitMs = 60_000

/** Limits the wrong passwords per link, counted in this process. */
export type SharingAttempts = {
  /**
   * Counts an attempt as wrong before the password is checked, so that concurrent attempts cannot exceed the limit.
   * @throws ApiError 429 for a minute after the tenth wrong attempt.
   */
  begin(recordingId: number): void
  /** Discounts the attempt after a correct password. */
  succeeded(recordingId: number): void
}

export function countSharingAttempts(clock: Clock): SharingAttempts {
  const attempts = new Map<number, { wrong: number; latest: number }>()
  return {
    begin(recordingId) {
      const now = clock.now()
      const { wrong, latest } = attempts.get(recordingId) ?? { wrong: 0, latest: now }
      const isOver = now - latest >= waitMs
      if (wrong >= wrongAttemptsMax && !isOver) throw throttled(Math.ceil((latest + waitMs - now) / 1000))
      attempts.set(recordingId, { wrong: isOver ? 1 : wrong + 1, latest: now })
    },
    succeeded(recordingId) {
      const { wrong = 0, latest = 0 } = attempts.get(recordingId) ?? {}
      if (wrong > 1) attempts.set(recordingId, { wrong: wrong - 1, latest })
      else attempts.delete(recordingId)
    },
  }
}
