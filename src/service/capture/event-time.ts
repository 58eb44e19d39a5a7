import { parseInstant } from '../../contract/instant.ts'

const hour = 3_600_000
const earliest = Date.UTC(1971, 0, 1)
/** Accepts timestamps this far (ms) in the future: clocks run fast, and local times are sent as UTC. */
const futureMsMax = 23 * hour
/** Differences (ms) below this are latency, not clock skew, so a retried batch keeps its timestamps. */
const skewMsMin = 1000

/**
 * Returns when an event happened, in milliseconds: its timestamp corrected by the client's clock skew, or `offset`
 * milliseconds before receipt. Falls back to `now` when both are missing or implausible. When an event arrived is another
 * time, given by `holdWatermark`.
 */
export function eventTime(event: Record<string, unknown>, sentAt: number | null, now: number): number {
  const { timestamp, offset } = event
  const clientTime = readTime(timestamp)
  const skew = sentAt === null || Math.abs(now - sentAt) < skewMsMin ? 0 : now - sentAt
  if (clientTime !== null) return plausible(clientTime + skew, now)
  return typeof offset === 'number' ? plausible(now - offset, now) : now
}

/** Parses ISO 8601 (naive means UTC) or seconds or milliseconds since the epoch into milliseconds; else returns null. */
export function readTime(value: unknown): number | null {
  if (typeof value === 'string') {
    const instant = parseInstant(value)
    if (instant) return instant.time
    return /^\d{10,13}(?:\.\d+)?$/.test(value) ? readTime(Number(value)) : null
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  return Math.abs(value) < 1e11 ? value * 1000 : value
}

function plausible(time: number, now: number): number {
  return time >= earliest && time <= now + futureMsMax ? Math.floor(time) : now
}
