/** Differences (ms) between clocks below this are latency, or too small to matter. */
const toleranceMs = 10 * 60_000
/** Longest time (ms) between two events of an item: a session ends after a day at the latest. */
const gapMsMax = 24 * 3_600_000

/** Known properties of the clock of a session's sender, in milliseconds. */
export type SenderClock = {
  /** Time by which the sender's clock is behind the service's, plus latency; negative if the clock is ahead. */
  lag: number
  /** Added to the times of the session's events. */
  shift: number
  /** The session's latest time by the sender's clock. */
  latest: number
}

type Moments = {
  sentAt: number | null
  /** When the item was captured by the sender's clock. */
  timestamp: number | null
  /** Milliseconds between capturing and sending the item. */
  offset: number
  /** Time of the item's last event. */
  latest: number
}

/**
 * Returns how far the sender's clock is behind (ms), negative if it is ahead. Null if the sender does not say when it sent
 * the item, unless the item's times are in the future.
 */
export function clockLag({ sentAt, timestamp, offset, latest }: Moments, now: number): number | null {
  if (sentAt !== null) return now - sentAt
  const lag = now - offset - (timestamp ?? latest)
  if (lag < -toleranceMs) return lag
  return latest > now + gapMsMax ? now - offset - latest : null
}

/** Returns the clock of a session after an item with this lag, whose events are between two times. */
export function clockAfter(
  known: SenderClock | null,
  lag: number,
  item: { earliest: number; latest: number },
): SenderClock {
  const isAhead = lag < -toleranceMs
  if (known === null) return { lag, shift: isAhead ? lag : 0, latest: item.latest }
  const latest = Math.max(known.latest, item.latest)
  const change = lag - known.lag
  if (Math.abs(change) < toleranceMs) return { ...known, latest }
  const shift = known.shift + change
  const wentBack = change > 0 && item.earliest < known.latest - toleranceMs
  if (isAhead || wentBack) return { lag, shift, latest }
  // Delayed requests also change the lag, so this only undoes a shift.
  const undone = Math.min(Math.max(shift, Math.min(known.shift, 0)), Math.max(known.shift, 0))
  return { lag, shift: undone, latest }
}

/**
 * Returns the times of an item's events by the clock that the sender had last. Events are in order of capture, so a time
 * far after the next event's, or more than a day before it, was read from the clock before it was set, or is wrong.
 * @param sentAt when the item was sent, which is after its last event.
 * @param now time of receipt.
 */
export function steadyTimes(times: readonly number[], sentAt: number | null, now: number): number[] {
  let next = lastTime(times, sentAt, now)
  let shift = 0
  const fits = (time: number) => time < next + toleranceMs && time > next - gapMsMax
  const steady = times.toReversed().map((time) => {
    if (!fits(time) && !fits(time + shift)) shift = next - time
    next = fits(time) ? time : time + shift
    return next
  })
  return steady.toReversed()
}

/** Returns the time of the last event, or one before it if that time is impossible. */
function lastTime(times: readonly number[], sentAt: number | null, now: number): number {
  const last = times.at(-1) ?? 0
  if (sentAt === null) return last > now + gapMsMax ? (times.findLast((time) => time <= now) ?? last) : last
  // Ignores a time of sending that is wrong by days.
  const isImpossible = last > sentAt + toleranceMs && (last < sentAt + gapMsMax || last > now + toleranceMs)
  return isImpossible ? sentAt : last
}
