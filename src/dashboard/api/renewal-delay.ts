/** Bounds (ms) of the time after which new paths are requested; the clocks of browser and service may differ. */
const renewalMs = { min: 60_000, max: 8 * 60_000 }

/** Returns the delay (ms) after which new paths are requested: a minute before the current ones expire. */
export function renewalDelay(expiresAt: string | undefined, now: number): number {
  const left = expiresAt === undefined ? 0 : Date.parse(expiresAt) - now - renewalMs.min
  return Math.min(Math.max(renewalMs.min, left), renewalMs.max)
}
