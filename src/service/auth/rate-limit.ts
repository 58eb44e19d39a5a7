import { ApiError } from '../problems/api-error.ts'
import type { RateCounts } from './rate-counts.ts'

/** Wrong API keys per minute and address. */
const wrongKeysMax = 30

export type RateLimit = {
  /** Counts a request of a key or link. @throws ApiError 429 above the limit */
  count(name: string): void
  /** Counts a wrong key of an address. @throws ApiError 429 above the limit */
  wrongKey(address: string): void
}

/** Limits requests per minute; `limit` is the number per key, 0 for no limit, not even of wrong keys. */
export function createRateLimit(counts: RateCounts, limit: number): RateLimit {
  const assert = (isWithin: boolean) => {
    if (!isWithin) throw throttled(counts.secondsLeft())
  }
  return {
    count: (name) => assert(counts.add(`key ${name}`, limit)),
    wrongKey: (address) => assert(counts.add(`wrong key ${address}`, limit && wrongKeysMax)),
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
