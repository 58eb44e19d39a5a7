/** Where the service takes the time from; tests give their own. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }
