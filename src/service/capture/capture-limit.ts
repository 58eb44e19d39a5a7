import type { RateCounts } from '../auth/rate-counts.ts'
import { CaptureError } from './capture-error.ts'

export type CaptureLimit = ReturnType<typeof createCaptureLimit>

/**
 * Limits the events that a project receives from one address. Its methods throw CaptureError 503 above the limit. `limit` is
 * the number of events per minute; 0 means no limit.
 */
export function createCaptureLimit(counts: RateCounts, limit: number) {
  const nameOf = (projectId: number, address: string) => `capture ${projectId} ${address}`
  return {
    /** Checks the limit before a request is decoded. */
    check(projectId: number, address: string) {
      if (counts.isReached(nameOf(projectId, address), limit)) throw refused()
    },
    count(projectId: number, address: string, events: number) {
      if (!counts.add(nameOf(projectId, address), limit, Math.max(events, 1))) throw refused()
    },
  }
}

/** Not 429: posthog-js drops events that get a 4xx. */
function refused(): CaptureError {
  return new CaptureError(503, 'too many events from this address, try again later')
}
