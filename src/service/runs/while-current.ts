import { sql } from 'kysely'
import type { RunRow } from '../store/runs/runs-list.ts'
import { findRow } from '../store/schema/rows.ts'
import type { Store } from '../store/schema/database.ts'

/** Interval (ms) of the statements that keep the transaction from timing out while files are published. */
const keepAliveMs = 5000

/**
 * Publishes an attempt's files if the run still belongs to it. Until `publish` ends, no other worker can take over the
 * run, and no other run of its window can publish. PostgreSQL ends the transaction of a frozen process after 30 s; only
 * a process that freezes inside `publish` for longer could still replace a newer file.
 * @throws Error when the attempt is no longer current, or the lock is not free within ten seconds.
 */
export async function whileCurrent(
  store: Store,
  { id, worker_id, attempt, batch_export_id, data_interval_start }: RunRow,
  publish: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    await sql`SELECT set_config('lock_timeout', '10s', true),
      set_config('idle_in_transaction_session_timeout', '30s', true)`.execute(transaction)
    const window = `${batch_export_id} ${data_interval_start.toISOString()}`
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${window}, 4280))`.execute(transaction)
    // A claim locks the row too; heartbeats and cancellations do not wait for this lock.
    const attempted = { id, status: 'Running', worker_id, attempt } as const
    const current = await findRow(transaction, 'batch_export_runs', attempted, sql`FOR KEY SHARE`)
    if (!current)
      throw new Error('The run has ended or belongs to another worker, so its files are not published.')
    const lost = new AbortController()
    const keepAlive = setInterval(() => {
      sql`SELECT 1`.execute(transaction).catch((error: unknown) => lost.abort(error))
    }, keepAliveMs)
    await publish(lost.signal).finally(() => clearInterval(keepAlive))
  })
}
