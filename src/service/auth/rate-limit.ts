import type { Clock } from '../clock.ts'
import { ApiError } from '../problems/api-error.ts'

const minute = 60_000

export type RateLimit = { count(keyId: string): void }

/**
 * Counts each key's requests to this process in the current minute; a `limit` of 0 means no limit.
 * `count` throws ApiError 429 above the limit.
 */
export function createRateLimit(clock: Clock, limit: number): RateLimit {
  let current = -1
  const counts = new Map<string, number>()
  return {
    count(keyId) {
      if (limit === 0) return
      const now = clock.now()
      if (Math.floor(now / minute) !== current) {
        current = Math.floor(now / minute)
        counts.clear()
      }
      const count = (counts.get(keyId) ?? 0) + 1
      counts.set(keyId, count)
      if (count > limit) throw throttled(Math.ceil(((current + 1) * minute - now) / 1000))
    },
  }
}

/** Returns a 429 with the number of seconds after which to retry. */
export function throttled(seconds: number): ApiError {
  return new ApiError({
    status: 429,
    type: 'throttled_error',
    code: 'throttled',
    detail: `Request was throttled. Expected available in ${seconds} seconds.`,
    headers: { 'retry-after': String(seconds) },
  })
}
