import type { Interval, Window } from '../../contract/interval.ts'
import type { Row, Warehouse } from '../engines/clickhouse/clickhouse.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { readSettings } from '../destinations/file-content.ts'
import { namedEvents, queriedRows, within, type ExportSource } from '../warehouse/run-rows.ts'
import { windowedRows } from './windows-with-rows.ts'

/** The settings of an export that determine how many rows its windows have. */
export type CountedSource = ExportSource & Pick<BatchExportRow, 'interval'>

/** Events are counted in these parts of a window, since an edit of the interval leaves windows of any length. */
const smallestInterval = 'every 5 minutes'
/** Seconds that a count may take. */
const countLimit = 10

/**
 * Counts the rows that runs of these periods (milliseconds) would find, one count for each; exports with the same source
 * need only one call. Repeated events are counted as often as they arrived.
 * @throws ExportError when the export's query can no longer be compiled, ClickHouseError when the count takes too long.
 */
export async function countPeriods(
  warehouse: Warehouse,
  source: CountedSource,
  selectsBy: RunRow['selects_by'],
  periods: readonly Window[],
): Promise<number[]> {
  const params: Row = {
    team_id: source.project_id,
    interval_start: Math.min(...periods.map(({ start }) => start)),
    interval_end: Math.max(...periods.map(({ end }) => end)),
  }
  const time = timeColumn(source, selectsBy)
  const conditions = ['team_id = {team_id: Int64}', ...within(time)]
  if (source.model === 'events') conditions.push(...namedEvents(source, params))
  const interval: Interval = source.model === 'events' ? smallestInterval : source.interval
  const table = windowedRows(source.model, conditions, interval, selectsBy).replace(' FINAL', '')
  const rows = await queriedRows(source, { from: table, withRepeats: null }, params)
  const parts = await warehouse.query<{ start: number; count: number }>(
    `SELECT toInt64(window_start) AS start, count() AS count FROM ${rows.from} GROUP BY window_start ORDER BY window_start`,
    { params: rows.params, settings: { ...readSettings, max_execution_time: countLimit } },
  )
  return sums(
    parts.map(({ start, count }) => ({ start, count: Number(count) })),
    periods,
  )
}

function timeColumn({ model }: CountedSource, selectsBy: RunRow['selects_by']): string {
  if (selectsBy === 'arrival' || model === 'persons') return 'inserted_at'
  return model === 'events' ? 'timestamp' : 'start_time'
}

/** Sums the counts of the parts, oldest first, that start in each period. */
function sums(parts: readonly { start: number; count: number }[], periods: readonly Window[]): number[] {
  const totals = [0]
  for (const { count } of parts) totals.push((totals.at(-1) ?? 0) + count)
  const before = (time: number) => {
    let [low, high] = [0, parts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((parts[middle]?.start ?? 0) < time) low = middle + 1
      else high = middle
    }
    return totals[low] ?? 0
  }
  return periods.map(({ start, end }) => before(end) - before(start))
}
