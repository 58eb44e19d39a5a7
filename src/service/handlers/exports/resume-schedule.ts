import { windowAt, type Interval } from '../../../contract/interval.ts'
import { createRuns } from '../../jobs/create-runs.ts'
import { dueWindows } from '../../jobs/scheduler.ts'
import type { Services } from '../../services.ts'
import type { BatchExportRow } from '../../store/batch-exports.ts'
import type { StoreTransaction } from '../../store/database.ts'
import { beginSchedule, moveSchedule } from './schedule-cursor.ts'

/**
 * Where the schedule of a paused export goes on: the windows of the pause are skipped, the one that holds `now` is not.
 * Windows that had ended before the pause, but had no run yet, get theirs.
 */
export async function resumeSchedule(
  services: Services,
  transaction: StoreTransaction,
  row: BatchExportRow,
  schedule: { interval: Interval; start_at: Date | null },
  now: number,
): Promise<Date> {
  const pausedAt = row.last_paused_at?.getTime() ?? now
  const isSameWindow = windowAt(row.interval, pausedAt).start >= windowAt(row.interval, now).start
  if (isSameWindow) return moveSchedule(row.scheduled_until, schedule, now)
  let cursor = row.scheduled_until
  for (;;) {
    const windows = dueWindows({ ...row, scheduled_until: cursor }, pausedAt)
    const last = windows.at(-1)
    if (!last) return beginSchedule(schedule, now)
    const runs = { export: row, backfillId: null, origin: 'schedule', selectsBy: 'arrival', windows } as const
    await createRuns(services, transaction, runs)
    cursor = new Date(last.end)
  }
}
