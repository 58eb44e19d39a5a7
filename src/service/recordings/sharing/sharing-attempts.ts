import type { Clock } from '../../clock.ts'
import { throttled } from '../../auth/rate-limit.ts'

const wrongMax = 10
const waitMs = 60_000

/** Counts the wrong passwords of each link in this process. */
export type SharingAttempts = {
  /**
   * Counts an attempt as wrong before it is checked, so that many at once are not more than ten.
   * @throws ApiError 429 for a minute after the tenth.
   */
  begin(recordingId: number): void
  /** Takes it back: it was right. */
  succeeded(recordingId: number): void
}

export function countSharingAttempts(clock: Clock): SharingAttempts {
  const attempts = new Map<number, { wrong: number; latest: number }>()
  return {
    begin(recordingId) {
      const now = clock.now()
      const { wrong, latest } = attempts.get(recordingId) ?? { wrong: 0, latest: now }
      const isOver = now - latest >= waitMs
      if (wrong >= wrongMax && !isOver) throw throttled(Math.ceil((latest + waitMs - now) / 1000))
      attempts.set(recordingId, { wrong: isOver ? 1 : wrong + 1, latest: now })
    },
    succeeded(recordingId) {
      const { wrong = 0, latest = 0 } = attempts.get(recordingId) ?? {}
      if (wrong > 1) attempts.set(recordingId, { wrong: wrong - 1, latest })
      else attempts.delete(recordingId)
    },
  }
}
