import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Store, StoreTransaction } from './database.ts'

/** First key of the advisory locks; the second is a second since the epoch. */
const lockSpace = 4282
/** Maximum delay (ms) between the `inserted_at` of an insert's rows and the moment the insert holds the watermark. */
const holdDelayMsMax = 1000

/**
 * Holds the watermark until the transaction ends: rows with the returned `inserted_at` (milliseconds) may still appear, so no
 * window that ends later is exported. Callers must acquire other locks first, or exports would wait for those too.
 */
export async function holdWatermark(transaction: StoreTransaction, clock: Clock): Promise<number> {
  for (;;) {
    const insertedAt = clock.now()
    const second = Math.floor(insertedAt / 1000)
    await sql`SELECT pg_advisory_xact_lock_shared(${lockSpace}::int, ${second}::int)`.execute(transaction)
    // If the lock was acquired too late, the scheduler may already have read the watermark and closed the window.
    if (clock.now() - insertedAt < holdDelayMsMax) return insertedAt
  }
}

/** Returns the start (milliseconds) of the second of the earliest insert in flight in any process; null without one. */
export async function currentWatermark(store: Store): Promise<number | null> {
  const result = await sql<{ second: number | null }>`
    SELECT min(objid::bigint) AS second FROM pg_locks
    WHERE locktype = 'advisory' AND classid = ${lockSpace}::oid AND objsubid = 2 AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(store)
  const second = result.rows[0]?.second ?? null
  return second === null ? null : second * 1000
}

type SettleConfig = Pick<Config, 'settleSeconds'>

/** Returns the time (milliseconds) before which every arrived event is visible. */
export async function settledUntil({
  store,
  clock,
  config,
}: {
  store: Store
  clock: Clock
  config: SettleConfig
}): Promise<number> {
  // Reads the time before the watermark: an insert that starts in between arrives after the settled time.
  const settled = clock.now() - settleTime(config)
  const watermark = await currentWatermark(store)
  return watermark === null ? settled : Math.min(settled, watermark)
}

/** Returns how long (ms) after its end a window waits for events that are still being inserted. */
export function settleTime({ settleSeconds }: SettleConfig): number {
  return Math.max(settleSeconds * 1000, holdDelayMsMax)
}
