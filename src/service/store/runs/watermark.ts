import { setTimeout as delay } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'

/** First key of the advisory locks, also in `hold_watermark`; the second is a second since the epoch. */
const lockSpace = 4282
const insertPollMs = 20
/** Longest time (ms) until an insert ends in the warehouse after PostgreSQL has lost the connection that held its watermark. */
const orphanedInsertMsMax = 1000

const watermarkLocks = sql`FROM pg_locks
  WHERE locktype = 'advisory' AND classid = ${lockSpace}::oid AND objsubid = 2 AND mode = 'ShareLock' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

type ClockServices = { store: Store; clock: Clock }
type SettleConfig = Pick<Config, 'settleSeconds'>
type SettleServices = ClockServices & { config: SettleConfig }

/**
 * Returns the arrival time (milliseconds) of rows to insert, and holds the watermark until the transaction ends: rows with this
 * `inserted_at` may still appear, so no window that ends later is exported. Callers must acquire other locks first, or exports
 * would wait for those too.
 */
export async function holdWatermark(transaction: StoreTransaction, clock: Clock): Promise<number> {
  const { rows } = await sql<{ at: Date }>`SELECT hold_watermark(${timeOf(clock)}) AS at`.execute(transaction)
  return only(rows).at.getTime()
}

/** Returns the start (milliseconds) of the second of the earliest insert in flight in any process; null without one. */
export async function currentWatermark(store: Store): Promise<number | null> {
  const result = await sql<{
    second: number | null
  }>`SELECT min(objid::bigint) AS second ${watermarkLocks}`.execute(store)
  const second = result.rows[0]?.second ?? null
  return second === null ? null : second * 1000
}

/**
 * Returns the time (milliseconds) that an event arriving now would get: the database's, or the floor if the clock went back.
 * No event that is captured later arrives earlier.
 */
export async function arrivalTime({ store, clock }: ClockServices): Promise<number> {
  return (await raiseFloor(store, timeOf(clock))).floor
}

/** Returns the time (milliseconds) before which every arrived event is visible; no later event arrives before it. */
export async function settledUntil({ store, clock, config }: SettleServices): Promise<number> {
  const { raisedTo } = await raiseFloor(store, settledTime(clock, config))
  return await limitToWatermark(store, raisedTo)
}

/** Returns about what `settledUntil` would, without a write; a later event may still arrive before it. */
export async function aboutSettledUntil({ store, clock, config }: SettleServices): Promise<number> {
  const { rows } = await sql<{ at: Date }>`SELECT ${settledTime(clock, config)} AS at`.execute(store)
  return await limitToWatermark(store, only(rows).at.getTime())
}

/**
 * Waits for the inserts in flight whose events may arrive before `before` (milliseconds), then returns the last time
 * (milliseconds) before it whose events are all visible: it includes every event acknowledged before the call.
 */
export async function lastVisibleArrival(
  { store, clock }: ClockServices,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  const { floor } = await raiseFloor(store, timeOf(clock), 1)
  let waiting: string[] | null = null
  while (waiting === null || waiting.length > 0) {
    const inFlight = await insertsInFlight(store, before)
    waiting = inFlight.filter((insert) => waiting?.includes(insert) ?? true)
    if (waiting.length > 0) await delay(insertPollMs, undefined, { signal })
  }
  return Math.min(floor, before) - 1
}

/** Returns the transactions that hold the watermark in a second that begins before `before` (milliseconds). */
async function insertsInFlight(store: Store, before: number): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(store)`
    SELECT virtualtransaction AS id ${watermarkLocks} AND objid::bigint * 1000 < ${before}::double precision`
  return rows.map(({ id }) => id)
}

/** Returns how long (ms) after its end a window waits for events that are still being inserted. */
export function settleTime({ settleSeconds }: SettleConfig): number {
  return Math.max(settleSeconds * 1000, orphanedInsertMsMax)
}

function settledTime(clock: Clock, config: SettleConfig): RawBuilder<Date> {
  return sql`${timeOf(clock)} - make_interval(secs => ${settleTime(config) / 1000})`
}

/**
 * Raises the floor to at least a time, then by `more` (ms); returns the floor and the time, in milliseconds. Commits at once,
 * outside other transactions: inserts in flight may be looked up only after every process can see the new floor.
 */
async function raiseFloor(store: Store, at: RawBuilder<Date>, more = 0) {
  const { rows } = await sql<{ at: Date; raised_to: Date }>`
    UPDATE arrival_floor SET at = greatest(arrival_floor.at, given.at) + make_interval(secs => ${more / 1000})
    FROM (SELECT ${at} AS at) AS given
    RETURNING arrival_floor.at, given.at AS raised_to`.execute(store)
  const { at: floor, raised_to } = only(rows)
  return { floor: floor.getTime(), raisedTo: raised_to.getTime() }
}

async function limitToWatermark(store: Store, time: number): Promise<number> {
  return Math.min(time, (await currentWatermark(store)) ?? Infinity)
}

/** The current time of the database's clock, in whole milliseconds, as SQL. */
function timeOf(clock: Clock): RawBuilder<Date> {
  const time = clock.databaseTime
    ? sql`${new Date(clock.databaseTime())}::timestamptz`
    : sql`clock_timestamp()`
  return sql`date_trunc('milliseconds', ${time})`
}

function only<T>(rows: readonly T[]): T {
  const [row] = rows
  if (!row) throw new Error('the table arrival_floor is empty')
  return row
}
