import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Store, StoreTransaction } from './database.ts'

/** First key of the advisory locks; the second is a second since the epoch. */
const lockSpace = 4282
/** An insert may hold its watermark up to this much (milliseconds) after its rows' `inserted_at`. */
const delayMax = 1000

/**
 * Says until the transaction's end that rows with the returned `inserted_at` (milliseconds) may still appear: a window that
 * ends after it is not exported before. What waits for other locks must do so before, lest exports wait with it.
 */
export async function holdWatermark(transaction: StoreTransaction, clock: Clock): Promise<number> {
  for (;;) {
    const insertedAt = clock.now()
    const second = Math.floor(insertedAt / 1000)
    await sql`SELECT pg_advisory_xact_lock_shared(${lockSpace}::int, ${second}::int)`.execute(transaction)
    // Had the lock come late, the scheduler could have looked before it and closed the window.
    if (clock.now() - insertedAt < delayMax) return insertedAt
  }
}

/** Start of the second (milliseconds) of the earliest insert in flight, of any process; null when there is none. */
export async function openWatermark(store: Store): Promise<number | null> {
  const result = await sql<{ second: number | null }>`
    SELECT min(objid::bigint) AS second FROM pg_locks
    WHERE locktype = 'advisory' AND classid = ${lockSpace}::oid AND objsubid = 2 AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(store)
  const second = result.rows[0]?.second ?? null
  return second === null ? null : second * 1000
}

type SettleConfig = Pick<Config, 'settleSeconds'>

/** Up to when (milliseconds) all events that have arrived can be seen. */
export async function settledUntil({
  store,
  clock,
  config,
}: {
  store: Store
  clock: Clock
  config: SettleConfig
}): Promise<number> {
  // The time is read before the watermark: an insert that begins in between arrives later than the horizon.
  const settled = clock.now() - settleTime(config)
  const watermark = await openWatermark(store)
  return watermark === null ? settled : Math.min(settled, watermark)
}

/** How long (milliseconds) after its end a window waits for events that are still being inserted. */
export function settleTime({ settleSeconds }: SettleConfig): number {
  return Math.max(settleSeconds * 1000, delayMax)
}
