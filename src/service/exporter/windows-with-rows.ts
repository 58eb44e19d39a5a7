import { intervalLength, windowOrigin, type Interval } from '../../contract/interval.ts'
import type { Row, Warehouse } from '../engines/clickhouse/clickhouse.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { latestPersons, queriedRows, type ExportSource } from '../warehouse/run-rows.ts'

/**
 * A window with rows: its start and the arrival of the first row in milliseconds since the epoch. `event` is the name of the
 * events, "" for other rows; a window has one entry for each name.
 */
export type WindowWithRows = { start: number; arrived: number; event: string }

type Selection = {
  distinctIds: readonly string[]
  interval: Interval
  selectsBy: RunRow['selects_by']
  limits: SearchLimits
}

/** Seconds that a query may take, and the newest entries that it returns. */
export type SearchLimits = { seconds: number; entriesMax: number }

/**
 * Returns the windows of an interval in which a run would find rows of these distinct ids, newest first: it applies the
 * export's query, but not the names of events that the export includes or excludes.
 * @throws ExportError when the export's query can no longer be compiled, ClickHouseError when it takes too long.
 */
export async function windowsWithRows(
  warehouse: Warehouse,
  source: ExportSource,
  { distinctIds, interval, selectsBy, limits }: Selection,
): Promise<WindowWithRows[]> {
  const params: Row = { team_id: source.project_id, distinct_ids: distinctIds }
  const conditions = ['team_id = {team_id: Int64}', 'distinct_id IN {distinct_ids: Array(String)}']
  const from = windowedRows(source.model, conditions, interval, selectsBy)
  const rows = await queriedRows(source, { from, withRepeats: null }, params)
  const name = source.model === 'events' ? 'event' : `''`
  const windows = await warehouse.query<{ start: number; first: number; name: string }>(
    `SELECT toInt64(window_start) AS start, toUnixTimestamp64Milli(min(arrived)) AS first, ${name} AS name FROM ${rows.from}
    GROUP BY window_start, name ORDER BY window_start DESC LIMIT ${limits.entriesMax}`,
    { params: rows.params, settings: { max_execution_time: limits.seconds } },
  )
  return windows.map(({ start, first, name }) => ({ start, arrived: first, event: name }))
}

/** Selects the rows that meet the conditions, with their `window_start` (milliseconds) and when they `arrived`. */
export function windowedRows(
  model: ExportSource['model'],
  conditions: readonly string[],
  interval: Interval,
  selectsBy: RunRow['selects_by'],
): string {
  const byArrival = selectsBy === 'arrival'
  const marked = (column: string) =>
    `*, ${windowStart(interval, column)} AS window_start, inserted_at AS arrived`
  switch (model) {
    case 'events':
      return `(SELECT ${marked(byArrival ? 'inserted_at' : 'timestamp')} FROM events FINAL
        WHERE ${conditions.join(' AND ')}) AS events`
    case 'persons':
      return latestPersons(conditions, windowStart(interval, 'inserted_at'))
    case 'recordings': {
      const latest = byArrival
        ? ' ORDER BY session_id, window_start, version DESC LIMIT 1 BY session_id, window_start'
        : ''
      return `(SELECT ${marked(byArrival ? 'inserted_at' : 'start_time')} FROM recordings FINAL
        WHERE ${conditions.join(' AND ')}${latest}) AS recordings`
    }
  }
}

/** SQL of the start (milliseconds) of the window that contains a time. */
function windowStart(interval: Interval, column: string): string {
  const [length, origin] = [intervalLength(interval), windowOrigin(interval)]
  return `toInt64(floor((toUnixTimestamp64Milli(${column}) - ${origin}) / ${length})) * ${length} + ${origin}`
}
