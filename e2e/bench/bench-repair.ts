import { windowAt } from '../../src/contract/interval.ts'
import { median, type Figure } from './bench-figure.ts'
import { connectStore } from '../connect-store.ts'
import type { Tenant } from '../journey.ts'
import type { RunningService } from '../service.ts'

const day = 86_400_000
const exportCount = 1000
const trials = 5

/**
 * Fills a service with 1,000 exports that have 30 days of hourly windows, of which 2 % failed or are missing, but the newest
 * completed.
 */
export async function fillRepairs(service: RunningService): Promise<Tenant> {
  const tenant = await service.admin<Tenant>('organization', 'create', '--name', 'Bench')
  const client = await connectStore(service)
  await client.query(
    `INSERT INTO batch_exports (id, project_id, name, model, destination_type, destination_config, interval, paused, created_at,
      last_updated_at, scheduled_until)
    SELECT gen_random_uuid(), $1, 'Export ' || number, 'events', 'File', jsonb_build_object('path', number), 'hour', false,
      $2, $2, $2 FROM generate_series(1, $3::integer) AS number`,
    [tenant.project_id, new Date(thisHour() - 40 * day), exportCount],
  )
  await client.end()
  await addRuns(service, 30)
  return tenant
}

/** Plans the repair of all exports. */
export async function repairFigures(service: RunningService, tenant: Tenant): Promise<Figure[]> {
  // Hours have passed since the data were made.
  await addRuns(service, 2)
  const times: number[] = []
  for (let trial = 0; trial < trials; trial += 1) {
    const began = performance.now()
    const response = await fetch(`${service.origin}/api/projects/${tenant.project_id}/repair_plans/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' },
      body: '{}',
    })
    const plan = (await response.json()) as { windows: number; exports: number }
    times.push(performance.now() - began)
    if (response.status !== 201 || plan.exports !== exportCount) throw new Error(JSON.stringify(plan))
  }
  const measured = median(times) / 1000
  return [{ name: 'a repair plan of 1,000 exports with 720 windows each', measured, bound: 2, unit: 's' }]
}

/** Adds the scheduled runs that the exports lack in the last `days`. */
async function addRuns(service: RunningService, days: number): Promise<void> {
  const client = await connectStore(service)
  const now = thisHour()
  await client.query(
    `INSERT INTO batch_export_runs (id, batch_export_id, project_id, origin, selects_by, status, failure_cause, attempt,
      data_interval_start, data_interval_end, records_completed, records_total_count, created_at, started_at, finished_at,
      last_updated_at)
    SELECT gen_random_uuid(), id, project_id, 'schedule', 'arrival', CASE WHEN fails THEN 'Failed' ELSE 'Completed' END,
      CASE WHEN fails THEN 'permission||' END, 1, starts, starts + interval '1 hour', 1000, 1000, starts, starts,
      starts + interval '2 seconds', starts
    FROM batch_exports, generate_series($1::timestamptz, $2::timestamptz, '1 hour') AS starts,
      LATERAL (SELECT hashtext(id::text || starts) % 100 = 0 AND starts < $2 AS fails) outcome
    WHERE hashtext(id::text || starts) % 100 <> 1 OR starts = $2
    ON CONFLICT (batch_export_id, data_interval_start) WHERE origin = 'schedule' DO NOTHING`,
    [new Date(now - days * day), new Date(now - 3_600_000)],
  )
  await client.query('UPDATE batch_exports SET scheduled_until = $1', [new Date(now)])
  await client.query('VACUUM ANALYZE')
  await client.end()
}

function thisHour(): number {
  return windowAt('hour', Date.now()).start
}
