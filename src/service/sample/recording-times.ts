/** Start time (ms since the epoch) on the page's clock in every recording of the sample. */
export const recordedAt = Date.UTC(2026, 0, 5, 12)

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** Hours of the day (UTC) at which recordings start, latest first. */
const startHours = [20, 17, 11, 8]
/**
 * Returns start times (ms) in the days before `anchor`, one per recording and in order; the last recording ends at `anchor`.
 */
export function recordingStarts(recordings: readonly { seconds: number }[], anchor: number): number[] {
  const newest = anchor - (recordings.at(-1)?.seconds ?? 0) * 1000
  const starts = [newest]
  for (let slot = 0; starts.length < recordings.length; slot += 1) {
    const daysBack = Math.floor(slot / startHours.length)
    const start =
      Math.floor(anchor / day) * day -
      daysBack * day +
      (startHours[slot % startHours.length] ?? 0) * hour +
      ((slot * 37) % 60) * minute
    if (start < newest - 2 * hour) starts.push(start)
  }
  return starts.toReversed()
}
