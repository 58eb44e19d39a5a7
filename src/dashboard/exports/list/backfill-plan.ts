import { backfillRange } from '../../../contract/backfill-range.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { windowAt } from '../../../contract/interval.ts'
import type { ExportOverview } from '../../../contract/overview.ts'

export type BackfillPlan<Row> = {
  parts: { row: Row; range: { start_at: string; end_at: string }; runs: number }[]
  /** Runs of all parts together. */
  runs: number
  /** Exports that are left out, and why. */
  leftOut: { row: Row; why: string }[]
}

/**
 * What a period, [`start`, `end`) in milliseconds, means for each export: the whole windows that it touches and that have
 * ended at `now`.
 */
export function planBackfill<Row extends Pick<ExportOverview, 'interval'>>(
  rows: readonly Row[],
  { start, end }: { start: number; end: number },
  now: number,
): BackfillPlan<Row> {
  const plan: BackfillPlan<Row> = { parts: [], runs: 0, leftOut: [] }
  for (const row of rows) {
    const lastEnd = Math.min(end, windowAt(row.interval, now).start)
    if (lastEnd <= start) {
      plan.leftOut.push({ row, why: 'none of its windows in this period has ended' })
      continue
    }
    const range = { start_at: formatInstant(start), end_at: formatInstant(lastEnd) }
    const judged = backfillRange(range, row.interval, now)
    if (judged.ok) {
      plan.parts.push({ row, range, runs: judged.runs })
      plan.runs += judged.runs
    } else plan.leftOut.push({ row, why: judged.detail })
  }
  return plan
}
