import { sql, type Selectable } from 'kysely'
import { formatInstant } from '../../contract/instant.ts'
import { intervalLength, intervals, windowAt, type Window } from '../../contract/interval.ts'
import { openWatermark } from '../store/watermark.ts'
import type { Services } from '../services.ts'
import type { BatchExportsTable, StoreTransaction } from '../store/database.ts'
import { createRuns } from './create-runs.ts'
import { writeLog } from './export-log.ts'

type ExportRow = Selectable<BatchExportsTable>
type SchedulerServices = Pick<Services, 'clock' | 'config' | 'store' | 'queue'>

const exportsPerTickMax = 100
const windowsPerExportMax = 1000
/** An insert may hold its watermark up to this much (milliseconds) after its rows' `inserted_at`. */
const watermarkDelayMax = 1000

const length = sql`CASE interval ${sql.join(
  intervals.map(
    (interval) => sql`WHEN ${sql.lit(interval)} THEN ${sql.lit(intervalLength(interval) / 1000)}`,
  ),
  sql` `,
)} END`
const weekOffset = windowAt('week', 0).end / 1000
const offset = sql`CASE interval WHEN 'week' THEN ${sql.lit(weekOffset)} ELSE 0 END`

/** When the next window of an export ends: the one that holds its cursor, or its later start; compare `dueWindows`. */
const nextEnd = sql<Date>`to_timestamp((floor(
  (extract(epoch FROM greatest(scheduled_until, start_at)) - ${offset}) / ${length}) + 1) * ${length} + ${offset})`

/**
 * Creates the runs of all windows that have ended and settled, and moves the exports' cursors past them in the same
 * transaction. Several processes may do so at once; each call does a bounded part of a large backlog.
 */
export async function tick(services: SchedulerServices): Promise<{ created: number }> {
  const horizon = await settledUntil(services)
  return await services.store.transaction().execute(async (transaction) => {
    const due = await schedulable(transaction)
      .selectAll()
      .where(nextEnd, '<=', new Date(horizon))
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

/** When (milliseconds) the next window will be due; null when no export has one to come. */
export async function nextDue(services: SchedulerServices): Promise<number | null> {
  const next = await schedulable(services.store)
    .select(sql<Date | null>`min(${nextEnd})`.as('end'))
    .executeTakeFirst()
  return next?.end ? next.end.getTime() + settleTime(services) : null
}

function schedulable(store: Services['store']) {
  return store
    .selectFrom('batch_exports')
    .where('deleted_at', 'is', null)
    .where('paused', '=', false)
    .where((where) => where.or([where('end_at', 'is', null), where('end_at', '>=', nextEnd)]))
}

/** Up to when (milliseconds) all events that have arrived can be seen. */
export async function settledUntil(services: Pick<Services, 'store' | 'clock' | 'config'>): Promise<number> {
  // The time is read before the watermark: an insert that begins in between arrives later than the horizon.
  const settled = services.clock.now() - settleTime(services)
  const watermark = await openWatermark(services.store)
  return watermark === null ? settled : Math.min(settled, watermark)
}

function settleTime({ config }: Pick<Services, 'config'>): number {
  return Math.max(config.settleSeconds * 1000, watermarkDelayMax)
}

async function schedule(
  services: SchedulerServices,
  transaction: StoreTransaction,
  row: ExportRow,
  horizon: number,
): Promise<number> {
  const windows = dueWindows(row, horizon)
  const last = windows.at(-1)
  if (!last) return 0
  const created = await createRuns(services, transaction, {
    export: row,
    backfillId: null,
    origin: 'schedule',
    selectsBy: 'arrival',
    windows,
  })
  await transaction
    .updateTable('batch_exports')
    .set({ scheduled_until: new Date(last.end) })
    .where('id', '=', row.id)
    .execute()
  if (created.length > 1) await logCatchUp(services, transaction, row, windows, created.length)
  return created.length
}

/** The windows between the cursor and the horizon, and within the export's bounds; the first may be cut by the cursor. */
export function dueWindows(
  row: Pick<ExportRow, 'interval' | 'scheduled_until' | 'start_at' | 'end_at'>,
  horizon: number,
): Window[] {
  const cursor = row.scheduled_until.getTime()
  const first = row.start_at ? windowAt(row.interval, row.start_at.getTime()).start : cursor
  const until = Math.min(horizon, row.end_at?.getTime() ?? Infinity)
  const windows: Window[] = []
  let start = Math.max(cursor, first)
  while (windows.length < windowsPerExportMax) {
    const { end } = windowAt(row.interval, start)
    if (end > until) break
    windows.push({ start, end })
    start = end
  }
  return windows
}

async function logCatchUp(
  { clock }: SchedulerServices,
  transaction: StoreTransaction,
  row: ExportRow,
  windows: readonly Window[],
  count: number,
): Promise<void> {
  const [first, last] = [windows[0], windows.at(-1)]
  if (!first || !last) return
  await writeLog(transaction, {
    batchExportId: row.id,
    runId: null,
    level: 'INFO',
    message: `Catching up: ${count} runs created for ${formatInstant(first.start)} to ${formatInstant(last.end)}.`,
    at: new Date(clock.now()),
  })
}
