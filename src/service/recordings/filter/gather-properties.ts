import { sql } from 'kysely'
import type { Services } from '../../services.ts'
import { rowsOf, type Store } from '../../store/schema/database.ts'
import { installationNumber } from '../../store/schema/installation-number.ts'
import type { Warehouse } from '../../engines/clickhouse/clickhouse.ts'
import { queryWarehouse } from '../query-warehouse.ts'
import { Bindings } from './filter-sql.ts'
import { aboutSettledUntil, settledUntil } from '../../store/runs/watermark.ts'

/** Events per step. A step takes well under a second, so that capture is not delayed. */
const eventsPerStep = 20_000
const cursorName = 'properties_gathered_until'
/** Arbitrary lock numbers that nothing else in this database uses. */
const gatherLock = sql`(4283, 1)`

/** Properties with different values in every event or session; gathering them would help no filter. */
const notGathered =
  'token distinct_id $device_id $elements_chain $insert_id $pageview_id $sent_at $session_id $time $window_id'.split(
    ' ',
  )

export function isGathered(key: string): boolean {
  return !notGathered.includes(key)
}

/** Whether `event_properties` has this property: only the site's own; those of the browser are the same in all events of a session. */
export function isGatheredOfEvents(key: string): boolean {
  return isGathered(key) && !key.startsWith('$')
}

/** Returns the arrival time (µs since the epoch) up to which events are in `session_properties` and `event_properties`; 0 at first. */
export function readGatheredUntil(store: Store): Promise<number> {
  return installationNumber(store, cursorName)
}

/** Whether events arrived after a time, as of a number of writes. */
const laterEvents = new WeakMap<Warehouse, { until: number; exist: boolean; writes: number | null }>()

/**
 * Returns the arrival time (µs since the epoch) up to which properties are gathered; null if all events are known to have arrived
 * by then. Asks the warehouse only if the answer may have changed.
 */
export async function readUngatheredSince({
  store,
  warehouse,
}: Pick<Services, 'store' | 'warehouse'>): Promise<number | null> {
  const until = await readGatheredUntil(store)
  const writes = warehouse.writes()
  if (writes === null) return until
  let later = laterEvents.get(warehouse)
  if (later?.until !== until || (!later.exist && later.writes !== writes)) {
    const bindings = new Bindings()
    const since = `fromUnixTimestamp64Micro(${bindings.bind('Int64', until)}, 'UTC')`
    const query = `SELECT 1 AS one FROM events WHERE inserted_at > ${since} LIMIT 1`
    later = { until, exist: (await queryWarehouse(warehouse, query, bindings)).length > 0, writes }
    laterEvents.set(warehouse, later)
  }
  return later.exist ? until : null
}

/** Waits until no step that has begun can insert anything more. */
export async function waitForGathering(store: Store): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock${gatherLock}`.execute(transaction)
  })
}

/**
 * Copies the properties of events that arrived since the last call into `session_properties` and `event_properties`.
 * Capture would be half as fast if it did this itself. Resolves to whether more events may be waiting. Idempotent.
 */
export async function gatherProperties(services: Pick<Services, 'store' | 'warehouse' | 'clock' | 'config'>) {
  const { store, warehouse } = services
  return await store.transaction().execute(async (transaction) => {
    const [lock] = await rowsOf<{ locked: boolean }>(
      transaction,
    )`SELECT pg_try_advisory_xact_lock${gatherLock} AS locked`
    if (!lock?.locked) return false
    const from = await readGatheredUntil(transaction)
    const about = (await aboutSettledUntil(services)) * 1000
    const [step] = await warehouse.query<{ until: number; events: number }>(
      `SELECT toUnixTimestamp64Micro(max(arrival)) AS until, count() AS events FROM (
        SELECT inserted_at AS arrival FROM events WHERE ${arrivedBetween} ORDER BY arrival LIMIT ${eventsPerStep})`,
      { params: { from, until: about } },
    )
    if (!step || step.events === 0) return false
    // A later event may arrive at the settled time itself, but not before.
    const until = Math.min(step.until, (await settledUntil(services)) * 1000 - 1)
    if (until <= from) return false
    const options = { params: { from, until, omitted: notGathered } }
    await warehouse.command(insertOfSessions, options)
    await warehouse.command(insertOfEvents, options)
    await sql`
      INSERT INTO installation (name, value) VALUES (${cursorName}, ${String(until)})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(transaction)
    return step.events === eventsPerStep
  })
}

const arrivedBetween = `inserted_at > fromUnixTimestamp64Micro({from: Int64}, 'UTC') AND inserted_at <= fromUnixTimestamp64Micro({until: Int64}, 'UTC')`

const pairs = `(
    SELECT team_id, event, session_id, arrayJoin(JSONExtractKeysAndValues(properties, 'Nullable(String)')) AS pair
    FROM events WHERE session_id != '' AND ${arrivedBetween})
  WHERE key NOT IN {omitted: Array(String)} AND pair.2 IS NOT NULL`

const insertOfSessions = `INSERT INTO session_properties
  SELECT DISTINCT team_id, pair.1 AS key, assumeNotNull(pair.2) AS value, session_id FROM ${pairs}`

const insertOfEvents = `INSERT INTO event_properties
  SELECT DISTINCT team_id, event, pair.1 AS key, assumeNotNull(pair.2) AS value, session_id FROM ${pairs}
  AND NOT startsWith(key, '$')`
