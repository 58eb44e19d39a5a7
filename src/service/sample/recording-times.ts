/** The page's clock when each of the sample's visits was recorded, in milliseconds since the epoch. */
export const recordedAt = Date.UTC(2026, 0, 5, 12)

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** When on a day they come (UTC): some in the morning, most in the evening. */
const hours = [20, 17, 11, 8]
const newestAge = 20 * minute

/** When visits begin so that they lie in the days before `anchor`, in their order; the last one ends 20 minutes before. */
export function visitStarts(visits: readonly { seconds: number }[], anchor: number): number[] {
  const newest = anchor - newestAge - (visits.at(-1)?.seconds ?? 0) * 1000
  const starts = [newest]
  for (let slot = 0; starts.length < visits.length; slot += 1) {
    const daysBack = Math.floor(slot / hours.length)
    const start =
      Math.floor(anchor / day) * day -
      daysBack * day +
      (hours[slot % hours.length] ?? 0) * hour +
      ((slot * 37) % 60) * minute
    if (start < newest - 2 * hour) starts.push(start)
  }
  return starts.toReversed()
}
