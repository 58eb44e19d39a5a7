import type { Services } from '../services.ts'
import { cached } from '../store/schema/cached.ts'

const minuteMs = 60_000
/** Minutes whose events are counted. */
const minuteCount = 30
/** Time (ms) for which the counts, and the arrival of an older event, are cached. */
const countsFreshMs = 2000
const lastFreshMs = 5 * minuteMs

/**
 * Returns how many events of a project arrived recently, by minute, oldest first, and when the newest one did, in
 * milliseconds; null without events.
 */
export async function captureActivity(services: Pick<Services, 'warehouse' | 'clock'>, team: number) {
  const { warehouse, clock } = services
  const now = clock.now()
  const from = now - minuteCount * minuteMs
  const minutes = await cached(warehouse, `events ${team}`, { now, freshMs: countsFreshMs }, () =>
    warehouse.query<{ minute: number; count: number; last: number }>(
      `SELECT intDiv(toUnixTimestamp64Milli(inserted_at) - {from: Int64}, ${minuteMs}) AS minute, count() AS count,
        max(toUnixTimestamp64Milli(inserted_at)) AS last
      FROM events WHERE team_id = {team: Int64} AND inserted_at >= fromUnixTimestamp64Milli({from: Int64}) GROUP BY minute`,
      { params: { team, from } },
    ),
  )
  const byMinute = Array<number>(minuteCount).fill(0)
  for (const { minute, count } of minutes) {
    const slot = Math.min(Number(minute), minuteCount - 1)
    byMinute[slot] = (byMinute[slot] ?? 0) + Number(count)
  }
  if (minutes.length > 0) return { lastEvent: Math.max(...minutes.map(({ last }) => Number(last))), byMinute }
  // Searches all events, but only while none arrive.
  const [older] = await cached(warehouse, `last event ${team}`, { now, freshMs: lastFreshMs }, () =>
    warehouse.query<{ count: number; last: number }>(
      `SELECT count() AS count, max(toUnixTimestamp64Milli(inserted_at)) AS last FROM events WHERE team_id = {team: Int64}`,
      { params: { team } },
    ),
  )
  return { lastEvent: older && Number(older.count) > 0 ? Number(older.last) : null, byMinute }
}
