/** Differences (ms) between clocks below this are latency, or too small to matter. */
const toleranceMs = 10 * 60_000
/** Longest time (ms) between two events of an item: a session ends after a day at the latest. */
const gapMsMax = 24 * 3_600_000

/** What is known of the clock of a session's sender, in milliseconds. */
export type SenderClock = {
  /** How far the sender's clock is behind the service's; negative if it is ahead. */
  lag: number
  /** What is added to the times of the session's events. */
  shift: number
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
  return lag < -toleranceMs ? lag : null
}

/**
 * Returns the clock of a session after an item with this lag. The first item shows whether the clock is far ahead; later
 * ones show whether it was set, in which case the events continue where they were.
 */
export function clockAfter(known: SenderClock | null, lag: number): SenderClock {
  if (known === null) return { lag, shift: lag < -toleranceMs ? lag : 0 }
  const change = lag - known.lag
  return Math.abs(change) < toleranceMs ? known : { lag, shift: known.shift + change }
}

/**
 * Returns the times of an item's events by the clock that the sender had last. Events are in order of capture, so a time
 * far after the next event's, or more than a day before it, was read from the clock before it was set, or is wrong.
 * @param sentAt when the item was sent, which is after its last event.
 * @param now time of receipt.
 */
export function steadyTimes(times: readonly number[], sentAt: number | null, now: number): number[] {
  const last = times.at(-1) ?? 0
  let next = sentAt !== null && isImpossible(last, sentAt, now) ? sentAt : last
  let shift = 0
  const fits = (time: number) => time < next + toleranceMs && time > next - gapMsMax
  const steady = times.toReversed().map((time) => {
    if (!fits(time) && !fits(time + shift)) shift = next - time
    next = fits(time) ? time : time + shift
    return next
  })
  return steady.toReversed()
}

/** Whether an event's time is after its sending; a time of sending that is wrong by days proves nothing. */
function isImpossible(time: number, sentAt: number, now: number): boolean {
  return time > sentAt + toleranceMs && (time < sentAt + gapMsMax || time > now + toleranceMs)
}
