import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Store, StoreTransaction } from './database.ts'

/** First key of the advisory locks; the second is a second since the epoch. */
const lockSpace = 4282
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
