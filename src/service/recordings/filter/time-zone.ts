/** Whether this is the name of a time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    // Intl rejects unknown names.
    return false
  }
}

/** Returns the start (ms since the epoch) of the day that is `days` after the one of `now` in a time zone. */
export function startOfDay(now: number, days: number, timeZone: string): number {
  const date = new Date(now + offsetAt(now, timeZone))
  const midnight = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + days)
  // The offset at midnight can differ from the one now.
  return midnight - offsetAt(midnight - offsetAt(midnight, timeZone), timeZone)
}

/** Returns how many milliseconds a zone's clocks are ahead of UTC at a time. */
function offsetAt(time: number, timeZone: string): number {
  // Swedish writes dates as ISO 8601 does.
  const local = Date.parse(`${new Date(time).toLocaleString('sv', { timeZone })}Z`)
  return local - Math.floor(time / 1000) * 1000
}
