/** Source of the current time, in milliseconds since the epoch; tests inject their own. */
export type Clock = {
  now(): number
  /** The time that a test gives the database's clock; without it, the database uses its own. */
  databaseTime?(): number
}

export const systemClock: Clock = { now: () => Date.now() }
