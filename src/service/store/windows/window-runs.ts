import { sql, type RawBuilder } from 'kysely'
import type { RunStatus } from '../../../contract/runs/batch-export-run.ts'
import { intervalLength, intervals } from '../../../contract/interval.ts'
import type { BatchExportRow } from '../runs/batch-exports.ts'
import type { Store } from '../schema/database.ts'

/** The fields of a run that determine its window's state; times in milliseconds, because parsing many dates is slow. */
export type WindowRun = {
  id: string
  status: RunStatus
  start: number
  end: number
  records: number
  total: number | null
  attempt: number
  duration: number | null
}

/** Length of the longest data interval in milliseconds. */
const intervalLengthMax = Math.max(...intervals.map(intervalLength))

/** Integers parse faster than fractions, and the bounds of intervals are whole seconds. */
const seconds = (column: string) => sql`date_part('epoch', ${sql.ref(column)})::bigint`

/** A run with null in place of its usual values, which saves transferring and parsing them. */
type SparseRun = Omit<WindowRun, 'end' | 'attempt'> & { seconds: number | null; attempt: number | null }

/**
 * Returns an export's runs whose data interval touches [start, end), ordered by the interval's end and start, then by creation.
 * `total` is also null if it equals the number of records.
 */
export async function runsBetween(
  store: Store,
  batchExport: Pick<BatchExportRow, 'id' | 'interval'>,
  start: number,
  end: number,
): Promise<WindowRun[]> {
  const usual = intervalLength(batchExport.interval)
  // Latest possible end of a data interval that touches the period.
  const latestEnd = end + intervalLengthMax
  const { rows } = await sql<SparseRun>`
    SELECT id, status, ${seconds('data_interval_start')} AS start,
      nullif(date_part('epoch', data_interval_end - data_interval_start), ${usual / 1000}) AS seconds,
      records_completed AS records, nullif(records_total_count, records_completed) AS total, nullif(attempt, 1) AS attempt,
      (date_part('epoch', finished_at - started_at) * 1000)::bigint AS duration
    FROM batch_export_runs
    WHERE batch_export_id = ${batchExport.id} AND data_interval_end > ${new Date(start)}
      AND data_interval_end < ${new Date(latestEnd)} AND data_interval_start < ${new Date(end)}
    ORDER BY data_interval_end, data_interval_start, created_at, id`.execute(store)
  return rows.map((run) => {
    const { id, status, records, total, duration } = run
    const start = run.start * 1000
    const end = start + (run.seconds === null ? usual : run.seconds * 1000)
    return { id, status, start, end, records, total, attempt: run.attempt ?? 1, duration }
  })
}

/**
 * Returns the runs whose data interval touches a period (milliseconds) of an export, for each period in the order that
 * `judgeWindows` needs. Their ids, attempts and durations are not read.
 */
export async function runsOfPeriods(
  store: Store,
  periods: readonly { id: string; start: number; end: number }[],
): Promise<WindowRun[][]> {
  const dates = (times: readonly number[]) => times.map((time) => new Date(time))
  const { rows } = await sql<{ place: number; runs: string }>`
    SELECT place, touching.runs
    FROM unnest(${periods.map(({ id }) => id)}::uuid[], ${dates(periods.map(({ start }) => start))}::timestamptz[],
      ${dates(periods.map(({ end }) => end))}::timestamptz[]) WITH ORDINALITY AS period (id, starts, ends, place)
    CROSS JOIN LATERAL ${runsText(sql`period`)} touching
    WHERE touching.runs IS NOT NULL`.execute(store)
  const found = new Map(rows.map(({ place, runs }) => [place, readRuns(runs)]))
  return periods.map((_, index) => found.get(index + 1) ?? [])
}

const latestAfter = sql`make_interval(secs => ${sql.lit(intervalLengthMax / 1000)})`

/**
 * Selects as one text the `runs` that touch a period, a row with `id` of the export, `starts` and `ends`; reading one row per run
 * would take most of the time. `run`: id of a run, if needed.
 */
export const runsText = (period: RawBuilder<unknown>, run = sql`''`) => sql`(
  SELECT string_agg(concat_ws(',', run, starts, ends, status, records_completed, records_total_count), ';') AS runs FROM (
    SELECT ${run} AS run, date_part('epoch', data_interval_start)::bigint AS starts,
      date_part('epoch', data_interval_end)::bigint AS ends, status, records_completed, records_total_count
    FROM batch_export_runs WHERE batch_export_id = ${period}.id AND data_interval_end > ${period}.starts
      AND data_interval_end < ${period}.ends + ${latestAfter} AND data_interval_start < ${period}.ends
    ORDER BY data_interval_end, data_interval_start, created_at, id) ordered)`

export function readRuns(text: string): WindowRun[] {
  return text.split(';').map(readRun)
}

function readRun(text: string): WindowRun {
  const [id = '', start, end, status, records, total] = text.split(',')
  return {
    id,
    status: status as WindowRun['status'],
    start: Number(start) * 1000,
    end: Number(end) * 1000,
    records: Number(records),
    total: total === undefined ? null : Number(total),
    attempt: 0,
    duration: null,
  }
}
