import { ApiError } from '../problems/api-error.ts'
import { hashToken } from './sessions.ts'
import type { RateCounts } from './rate-counts.ts'

/** Wrong API keys per minute and address. */
const wrongKeysMax = 30

/** Sign-ins to an account that fail, per minute. */
const failuresMax = 10

export type RateLimit = ReturnType<typeof createRateLimit>

/** Limits requests per minute; `limit` is the number per key, 0 for no limit, not even of wrong keys. */
export function createRateLimit(counts: RateCounts, limit: number) {
  const assert = (isWithin: boolean) => {
    if (!isWithin) throw throttled(counts.secondsLeft())
  }
  return {
    /** Counts a request of a key or link. @throws ApiError 429 above the limit */
    count: (name: string) => assert(counts.add(`key ${name}`, limit)),
    /** Counts a wrong key of an address. @throws ApiError 429 above the limit */
    wrongKey: (address: string) => assert(counts.add(`wrong key ${address}`, limit && wrongKeysMax)),
    /**
     * Refuses further sign-ins from an address or to an account after too many that failed, before anything is computed.
     * @throws ApiError 429
     */
    assertFewFailures(address: string, account: string | null): void {
      for (const [name, max] of failuresOf(address, account)) assert(!counts.isReached(name, limit && max))
    },
    countFailure(address: string, account: string | null): void {
      for (const [name, max] of failuresOf(address, account)) counts.add(name, limit && max)
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

/** The names under which a sign-in that fails is counted, with their limits. */
function failuresOf(address: string, account: string | null): [string, number][] {
  const ofAccount: [string, number][] =
    account === null ? [] : [[`sign-in ${hashToken(account).toString('hex')}`, failuresMax]]
  return [[`wrong key ${address}`, wrongKeysMax], ...ofAccount]
}
