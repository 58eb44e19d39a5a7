import { windowAt } from '../../contract/interval.ts'
import {
  beginSchedule,
  moveSchedule,
  nextWindows,
  scheduleOf,
  type Schedule,
} from '../../contract/exports/schedule.ts'
import { windowsPerExportMax } from './scheduler.ts'
import type { Services } from '../services.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import { currentWatermark } from '../store/runs/watermark.ts'
import { insertScheduledRuns } from '../store/runs/write-runs.ts'

/**
 * Returns where the schedule of a paused export resumes: the windows of the pause are skipped, except the one that contains
 * `now`. Windows that had ended before the pause, but had no run yet, get their runs. If an insert in flight may still add
 * rows to one of them, the schedule continues there and skips nothing.
 */
export async function resumeSchedule(
  services: Services,
  transaction: StoreTransaction,
  row: BatchExportRow,
  schedule: Schedule,
  now: number,
): Promise<number> {
  const pausedAt = row.last_paused_at?.getTime() ?? now
  const isSameWindow = windowAt(row.interval, pausedAt).start >= windowAt(row.interval, now).start
  let cursor = row.scheduled_until.getTime()
  if (isSameWindow) return moveSchedule(cursor, schedule, now)
  const settled = (await currentWatermark(transaction)) ?? Infinity
  for (;;) {
    const windows = nextWindows(scheduleOf(row), cursor, Math.min(pausedAt, settled), windowsPerExportMax)
    const last = windows.at(-1)
    if (!last) {
      const [unsettled] = nextWindows(scheduleOf(row), cursor, pausedAt, 1)
      return unsettled ? moveSchedule(cursor, schedule, now) : beginSchedule(schedule, now)
    }
    await insertScheduledRuns(transaction, row, windows, services.clock.now())
    cursor = last.end
  }
}
