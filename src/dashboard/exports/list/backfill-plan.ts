import { backfillRange } from '../../../contract/backfill-range.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { windowAt } from '../../../contract/interval.ts'
import type { ExportOverview } from '../../../contract/overview.ts'

export type BackfillPlan<Row> = {
  parts: { row: Row; range: { start_at: string; end_at: string }; runs: number }[]
  /** Runs of all parts together. */
  runs: number
  /** Exports without a backfill, and why. */
  skipped: { row: Row; why: string }[]
}

/**
 * Plans a backfill of the period [`start`, `end`), in milliseconds: for each export, the whole windows that overlap the
 * period and have ended at `now`.
 */
export function planBackfill<Row extends Pick<ExportOverview, 'interval'>>(
  rows: readonly Row[],
  { start, end }: { start: number; end: number },
  now: number,
): BackfillPlan<Row> {
  const plan: BackfillPlan<Row> = { parts: [], runs: 0, skipped: [] }
  for (const row of rows) {
    const lastEnd = Math.min(end, windowAt(row.interval, now).start)
    if (lastEnd <= start) {
      plan.skipped.push({ row, why: 'no window in this period has ended' })
      continue
    }
    const range = { start_at: formatInstant(start), end_at: formatInstant(lastEnd) }
    const verdict = backfillRange(range, row.interval, now)
    if (verdict.ok) {
      plan.parts.push({ row, range, runs: verdict.runs })
      plan.runs += verdict.runs
    } else plan.skipped.push({ row, why: verdict.detail })
  }
  return plan
}
