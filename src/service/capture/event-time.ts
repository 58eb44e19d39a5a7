import { parseInstant } from '../../contract/instant.ts'

const hour = 3_600_000
const earliest = Date.UTC(1971, 0, 1)
/** Clients' clocks run ahead, time zones are mistaken for UTC; later than this no event has happened. */
const futureMax = 23 * hour
/** Below this, the time between sending and now is the way, not a wrong clock; so a batch sent again keeps its times. */
const skewMin = 1000

/**
 * When an event happened, in milliseconds: its timestamp, corrected by how far the sender's clock is off; or `offset`
 * milliseconds before it was received; else, and where that is no sane time, `now`.
 */
export function eventTime(
  { timestamp, offset }: { timestamp: unknown; offset: unknown },
  sentAt: number | null,
  now: number,
): number {
  const stated = readTime(timestamp)
  const skew = sentAt === null || Math.abs(now - sentAt) < skewMin ? 0 : now - sentAt
  if (stated !== null) return sane(stated + skew, now)
  return typeof offset === 'number' ? sane(now - offset, now) : now
}

/** ISO 8601 text (naive is UTC), or seconds or milliseconds since the epoch, as milliseconds; null when it is neither. */
export function readTime(value: unknown): number | null {
  if (typeof value === 'string') {
    const instant = parseInstant(value)
    if (instant) return instant.time
    return /^\d{10,13}(?:\.\d+)?$/.test(value) ? readTime(Number(value)) : null
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  return Math.abs(value) < 1e11 ? value * 1000 : value
}

function sane(time: number, now: number): number {
  return time >= earliest && time <= now + futureMax ? Math.floor(time) : now
}
