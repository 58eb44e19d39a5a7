import { endedBackfillRange } from '../../../contract/runs/backfill-range.ts'
import { formatInstant } from '../../../contract/instant.ts'
import type { ExportOverview } from '../../../contract/exports/overview.ts'

export type BackfillPlan<Row> = {
  parts: { row: Row; range: { start_at: string; end_at: string }; runs: number }[]
  /** Runs of all parts together. */
  runs: number
  /** Exports without a backfill, and why. */
  skipped: { row: Row; why: string }[]
}

/**
 * Plans a backfill of a period, in milliseconds and without its end: for each export, the whole windows that overlap the
 * period and have ended at `now`.
 */
export function planBackfill<Row extends Pick<ExportOverview, 'interval'>>(
  rows: readonly Row[],
  period: { start: number; end: number },
  now: number,
): BackfillPlan<Row> {
  const plan: BackfillPlan<Row> = { parts: [], runs: 0, skipped: [] }
  for (const row of rows) {
    const verdict = endedBackfillRange(period, row.interval, now)
    if (verdict.ok) {
      plan.parts.push({
        row,
        range: { start_at: formatInstant(verdict.range.start), end_at: formatInstant(verdict.range.end) },
        runs: verdict.runs,
      })
      plan.runs += verdict.runs
    } else plan.skipped.push({ row, why: verdict.detail })
  }
  return plan
}
