import { ApiError } from '../problems/api-error.ts'
import { hashToken } from './sessions.ts'
import type { RateCounts } from './rate-counts.ts'

/** Wrong API keys per minute and address. */
const wrongKeysMax = 30

/** Passkeys that the pages of an address ask for before a sign-in, per minute: each request is stored for a while. */
const passkeyRequestsMax = 60

/** Sign-ins to an account that fail, per minute: from one address, and in all, which others can use up to lock someone out. */
const failuresMax = { address: 10, total: 100 }

export type RateLimit = ReturnType<typeof createRateLimit>

/** Limits requests per minute; `limit` is the number per key, session or address, 0 for no limit, not even of wrong keys. Those of sign-ins always hold. */
export function createRateLimit(counts: RateCounts, limit: number) {
  const assert = (isWithin: boolean) => {
    if (!isWithin) throw throttled(counts.secondsLeft())
  }
  return {
    /** Counts a request of a key, session, link or address. @throws ApiError 429 above the limit */
    count: (name: string) => assert(counts.add(`key ${name}`, limit)),
    /** Counts a wrong key of an address. @throws ApiError 429 above the limit */
    wrongKey: (address: string) => assert(counts.add(`wrong key ${address}`, limit && wrongKeysMax)),
    /**
     * Refuses further sign-ins from an address or to an account after too many that failed, before anything is computed.
     * @throws ApiError 429
     */
    assertFewFailures(
      address: string,
      account: string | null,
      reason = 'Too many sign-ins have failed.',
    ): void {
      for (const [name, max] of failuresOf(address, account))
        if (counts.isReached(name, max)) throw throttled(counts.secondsLeft(), reason)
    },
    /** Counts a request for a passkey before a sign-in. @throws ApiError 429 above the limit */
    passkeyRequest: (address: string) => assert(counts.add(`passkey ${address}`, passkeyRequestsMax)),
    countFailure(address: string, account: string | null): void {
      for (const [name, max] of failuresOf(address, account)) counts.add(name, max)
    },
  }
}

/** Returns a 429 with the number of seconds after which to retry; without a reason, in PostHog's words. */
export function throttled(seconds: number, reason?: string): ApiError {
  return new ApiError({
    status: 429,
    type: 'throttled_error',
    code: 'throttled',
    detail: reason
      ? `${reason} Try again in ${inWords(seconds)}.`
      : `Request was throttled. Expected available in ${seconds} seconds.`,
    headers: { 'retry-after': String(seconds) },
  })
}

function inWords(seconds: number): string {
  if (seconds === 1) return '1 second'
  if (seconds < 90) return `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}

/** The names under which a sign-in that fails is counted, with their limits. */
function failuresOf(address: string, account: string | null): [string, number][] {
  const ofAddress: [string, number] = [`wrong key ${address}`, wrongKeysMax]
  if (account === null) return [ofAddress]
  const name = `sign-in ${hashToken(account).toString('hex')}`
  return [ofAddress, [`${name} ${address}`, failuresMax.address], [name, failuresMax.total]]
}
