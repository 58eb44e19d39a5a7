import { endedPeriod, windowsBetween, type Interval, type Window } from '../../src/contract/interval.ts'
import { connectStore } from '../connect-store.ts'
import type { Tenant } from '../journey.ts'
import type { RunningService } from '../service.ts'

/** A project with hourly exports, and one export with ten times as many windows of five minutes. */
export type Filled = {
  tenant: Tenant
  exports: number
  /** The export with the many windows, and their period (ISO 8601). */
  grid: { id: string; start: string; end: string }
}

/** Two projects, one with 10 exports, one with 1,000. */
export type FilledExports = { few: Filled; many: Filled }

/** Hours of which the exports have runs: 720,000 in all for 1,000 exports. */
const monthHours = 30 * 24

/** Fills a service with exports that have a run for each hour of the last month, which the ledger records. */
export async function fillExports(service: RunningService): Promise<FilledExports> {
  const filled = { few: await fillProject(service, 10), many: await fillProject(service, 1000) }
  await addHours(service, monthHours)
  return filled
}

async function fillProject(service: RunningService, exports: number): Promise<Filled> {
  const tenant = await service.admin<Tenant>('organization', 'create', '--name', 'Bench')
  const gridPeriod = endedPeriod('every 5 minutes', Date.UTC(2026, 1, 5), 10 * exports)
  const numbers = Array.from({ length: exports }, (_, number) => number)
  const clients = Array.from({ length: 10 }, async () => {
    for (let number = numbers.shift(); number !== undefined; number = numbers.shift())
      await create(service, tenant, `Export ${number}`, 'hour')
  })
  await Promise.all(clients)
  const client = await connectStore(service)
  const id = await create(service, tenant, 'Grid', 'every 5 minutes')
  await client.query(
    `INSERT INTO batch_export_runs (id, batch_export_id, project_id, origin, selects_by, status, attempt, data_interval_start,
      data_interval_end, records_completed, records_total_count, created_at, started_at, finished_at, last_updated_at)
    SELECT uuidv7(), id, project_id, 'schedule', 'arrival', 'Completed', 1, starts, ends, 1000, 1000,
      starts, starts, starts, starts
    FROM batch_exports, unnest($1::timestamptz[], $2::timestamptz[]) AS run (starts, ends)
    WHERE id = $3`,
    [...boundsOf('every 5 minutes', gridPeriod), id],
  )
  await client.end()
  const text = (time: number) => new Date(time).toISOString()
  return { tenant, exports, grid: { id, start: text(gridPeriod.start), end: text(gridPeriod.end) } }
}

/** Gives each of the hourly exports the runs that it lacks of the last hours, of which one in a thousand failed. */
export async function addHours(service: RunningService, hours: number): Promise<void> {
  const client = await connectStore(service)
  const period = endedPeriod('hour', Date.now(), hours)
  const { rowCount } = await client.query(
    `WITH changed AS (
      INSERT INTO batch_export_runs (id, batch_export_id, project_id, origin, selects_by, status, failure_cause, attempt,
        data_interval_start, data_interval_end, records_completed, created_at, finished_at, last_updated_at)
      SELECT gen_random_uuid(), id, project_id, 'schedule', 'arrival', CASE WHEN fails THEN 'Failed' ELSE 'Completed' END,
        CASE WHEN fails THEN 'other||' END, 1, starts, ends, 1000, starts, starts, starts
      FROM batch_exports, unnest($1::timestamptz[], $2::timestamptz[]) AS run (starts, ends),
        LATERAL (SELECT starts < now() - interval '2 days' AND hashtext(id::text || starts) % 1000 = 0 AS fails) outcome
      WHERE interval = 'hour' ON CONFLICT (batch_export_id, data_interval_start) WHERE origin = 'schedule' DO NOTHING RETURNING *
    ), ledger AS (
      INSERT INTO batch_export_ledger (batch_export_id, data_interval_start, data_interval_end, run_id, selects_by, taken_until,
        settings, rows_expected, rows_written, objects, written_at)
      SELECT batch_export_id, data_interval_start, data_interval_end, id, selects_by, data_interval_end, '{}', 1000, 1000, '[]',
        data_interval_end FROM changed WHERE status = 'Completed'
    )
    INSERT INTO batch_export_day_changes (batch_export_id, from_day, until_day)
    SELECT batch_export_id, min(day_of(data_interval_start)), max(day_of(data_interval_start)) FROM changed GROUP BY 1`,
    boundsOf('hour', period),
  )
  await client.query(
    `UPDATE batch_exports SET scheduled_until = $1 WHERE interval = 'hour' AND scheduled_until < $1`,
    [new Date(period.end)],
  )
  if (rowCount) await client.query('VACUUM ANALYZE')
  await client.end()
}

/** Returns the starts and the ends of a period's windows. */
function boundsOf(interval: Interval, period: Window): [Date[], Date[]] {
  const windows = windowsBetween(interval, period.start, period.end)
  return [windows.map(({ start }) => new Date(start)), windows.map(({ end }) => new Date(end))]
}

async function create(
  { origin }: RunningService,
  { project_id, api_key }: Tenant,
  name: string,
  interval: string,
): Promise<string> {
  const response = await fetch(`${origin}/api/projects/${project_id}/batch_exports/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, interval, destination: { type: 'File', config: { path: name } } }),
  })
  if (response.status !== 201) throw new Error(await response.text())
  return ((await response.json()) as { id: string }).id
}
