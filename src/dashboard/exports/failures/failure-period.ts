const hour = 3_600_000

/** Days that the page of failures can show. */
export const failureDays = [1, 7, 30] as const
export const defaultFailureDays = 7

/** Returns the start (milliseconds) of the last days, at a whole hour so that requests of an hour share a response. */
export function failuresSince(days: number, now: number): number {
  return Math.floor(now / hour) * hour - days * 24 * hour
}
