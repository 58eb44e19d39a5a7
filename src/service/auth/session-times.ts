const dayMs = 24 * 3_600_000

/** How long a session lasts (ms): without use, and at most; and how long after a sign-in or a confirmation its user counts as present. */
export const sessionMs = { idle: 7 * dayMs, longest: 30 * dayMs, confirmed: 15 * 60_000 }
