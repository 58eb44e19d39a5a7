/** Source of the current time, in milliseconds since the epoch; tests inject their own. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }
