import { sql } from 'kysely'
import { formatInstant } from '../../contract/instant.ts'
import { nextWindows, scheduleOf } from '../../contract/exports/schedule.ts'
import type { Services } from '../services.ts'
import { moveCursor, type BatchExportRow } from '../store/runs/batch-exports.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import { aboutSettledUntil, settledUntil, settleTime } from '../store/runs/watermark.ts'
import { insertScheduledRuns } from '../store/runs/write-runs.ts'
import { logExport } from '../runs/export-log.ts'
import { nextWindowEnd } from '../store/windows/next-window.ts'

type SchedulerServices = Pick<Services, 'clock' | 'config' | 'store'>

const exportsPerTickMax = 100
/** Runs created for one export in one transaction. */
export const windowsPerExportMax = 1000

/**
 * Creates runs for windows that have ended and settled, and moves the exports' cursors past those windows in the same
 * transaction. Several processes may call this at once; each call handles a bounded part of a large backlog.
 */
export async function tick(services: SchedulerServices): Promise<{ created: number }> {
  const due = await nextDue(services)
  if (due === null || due - settleTime(services.config) > (await aboutSettledUntil(services)))
    return { created: 0 }
  const horizon = await settledUntil(services)
  return await services.store.transaction().execute(async (transaction) => {
    const due = await schedulable(transaction)
      .selectAll()
      .where(nextWindowEnd, '<=', new Date(horizon))
      .orderBy('scheduled_until')
      .limit(exportsPerTickMax)
      .forNoKeyUpdate()
      .skipLocked()
      .execute()
    let created = 0
    for (const row of due) created += await schedule(services, transaction, row, horizon)
    return { created }
  })
}

/** Returns when (milliseconds since the epoch) the next window is due; null if no export has a next window. */
export async function nextDue(services: SchedulerServices): Promise<number | null> {
  const next = await schedulable(services.store)
    .select(sql<Date | null>`min(${nextWindowEnd})`.as('end'))
    .executeTakeFirst()
  return next?.end ? next.end.getTime() + settleTime(services.config) : null
}

function schedulable(store: Services['store']) {
  return store.selectFrom('batch_exports').where('deleted_at', 'is', null).where('paused', '=', false)
}

async function schedule(
  services: SchedulerServices,
  transaction: StoreTransaction,
  row: BatchExportRow,
  horizon: number,
): Promise<number> {
  const cursor = row.scheduled_until.getTime()
  const windows = nextWindows(scheduleOf(row), cursor, horizon, windowsPerExportMax)
  const last = windows.at(-1)
  if (!last) return 0
  const created = await insertScheduledRuns(transaction, row, windows, services.clock.now())
  await moveCursor(transaction, row, last.end)
  const [first] = windows
  if (first && created.length > 1) {
    const message = `Catching up: ${created.length} runs created for ${formatInstant(first.start)} to ${formatInstant(last.end)}.`
    await logExport(transaction, row.id, message, new Date(services.clock.now()))
  }
  return created.length
}
