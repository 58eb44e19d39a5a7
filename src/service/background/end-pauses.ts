import { sql } from 'kysely'
import { formatInstant } from '../../contract/instant.ts'
import { scheduleOf } from '../../contract/exports/schedule.ts'
import type { Services } from '../services.ts'
import { updateBatchExport, type BatchExportRow } from '../store/runs/batch-exports.ts'
import type { Store, StoreTransaction } from '../store/schema/database.ts'
import { arrivalTime } from '../store/runs/watermark.ts'
import { recordPause } from '../runs/export-log.ts'
import { resumeSchedule } from './resume-schedule.ts'

/** Exports that one transaction unpauses. */
const exportsMax = 100

/**
 * Unpauses exports whose `paused_until` has passed, and returns how many. The pause ends at that time, however late this is
 * called: windows since then are exported. Several processes may call this at once; each pause ends once.
 */
export async function endPauses(services: Services): Promise<number> {
  const { store, clock } = services
  // An estimate, so that a call without work writes nothing.
  const [due] = await pausedUntil(store, clock.now()).select('id').limit(1).execute()
  if (!due) return 0
  const now = await arrivalTime(services)
  return await store.transaction().execute(async (transaction) => {
    const rows = await pausedUntil(transaction, now)
      .selectAll()
      .orderBy('paused_until')
      .limit(exportsMax)
      .forNoKeyUpdate()
      .skipLocked()
      .execute()
    for (const row of rows) await endPause(services, transaction, row, now)
    return rows.length
  })
}

function pausedUntil(store: Store, now: number) {
  return store
    .selectFrom('batch_exports')
    .where('deleted_at', 'is', null)
    .where('paused', '=', true)
    .where('paused_until', '<=', new Date(now))
}

async function endPause(services: Services, transaction: StoreTransaction, row: BatchExportRow, now: number) {
  const { paused_until: until } = row
  if (!until) return
  const at = new Date(now)
  const cursor = await resumeSchedule(services, transaction, row, scheduleOf(row), until.getTime())
  const change = { paused: false, last_updated_at: at, scheduled_until: new Date(cursor) }
  await updateBatchExport(transaction, row, change)
  // The trigger has ended the pause now; the windows since `until` were not skipped.
  await sql`UPDATE batch_export_pauses SET ended_at = ${until}
    WHERE batch_export_id = ${row.id} AND ended_at = ${at} AND started_at <= ${until}`.execute(transaction)
  const message = `Unpaused automatically: the pause was to end at ${formatInstant(until)}.`
  await recordPause(transaction, row.id, { paused: false, actor: null, at, message })
}
