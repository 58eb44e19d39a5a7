import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { RunningService } from './service.ts'

export type Tenant = { project_id: number; project_token: string; api_key: string }

export type Filled = {
  tenant: Tenant
  /** The export with the large grid, and the period of its windows, ISO 8601. */
  grid: { id: string; start: string; end: string }
}

const windows = 10_000
const firstWindow = Date.UTC(2026, 0, 1)
const fiveMinutes = 300_000

/** Fills a service with 1,000 hourly exports of 48 runs each, and one of every five minutes with 10,000. */
export async function fillExports(service: RunningService): Promise<Filled> {
  const tenant = await service.admin<Tenant>('organization', 'create', '--name', 'Bench')
  const numbers = Array.from({ length: 1000 }, (_, number) => number)
  const clients = Array.from({ length: 10 }, async () => {
    for (let number = numbers.shift(); number !== undefined; number = numbers.shift())
      await create(service, tenant, `Export ${number}`, 'hour')
  })
  await Promise.all(clients)
  const { url } = JSON.parse(await readFile(join(service.dataDirectory, 'postgres.json'), 'utf8'))
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`
    INSERT INTO batch_export_runs (id, batch_export_id, project_id, origin, selects_by, status, attempt, data_interval_start,
      data_interval_end, records_completed, created_at, finished_at, last_updated_at)
    SELECT gen_random_uuid(), id, project_id, 'schedule', 'arrival', 'Completed', 1, hour, hour + interval '1 hour', 1000, hour, hour, hour
    FROM batch_exports, generate_series(date_trunc('hour', now()) - interval '48 hours',
      date_trunc('hour', now()) - interval '1 hour', interval '1 hour') AS hour`)
  const id = await create(service, tenant, 'Grid', 'every 5 minutes')
  await client.query(
    `INSERT INTO batch_export_runs (id, batch_export_id, project_id, origin, selects_by, status, attempt, data_interval_start,
      data_interval_end, records_completed, records_total_count, created_at, started_at, finished_at, last_updated_at)
    SELECT uuidv7(), id, project_id, 'schedule', 'arrival', 'Completed', 1, start, start + interval '5 minutes', 1000, 1000,
      start, start, start, start
    FROM batch_exports, generate_series($2::timestamptz, $2::timestamptz + $3 * interval '5 minutes', interval '5 minutes') AS start
    WHERE id = $1`,
    [id, new Date(firstWindow), windows - 1],
  )
  await client.query('VACUUM ANALYZE')
  await client.end()
  const end = new Date(firstWindow + windows * fiveMinutes).toISOString()
  return { tenant, grid: { id, start: new Date(firstWindow).toISOString(), end } }
}

async function create(
  { origin }: RunningService,
  { project_id, api_key }: Tenant,
  name: string,
  interval: string,
): Promise<string> {
  const answer = await fetch(`${origin}/api/projects/${project_id}/batch_exports/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, interval, destination: { type: 'File', config: { path: name } } }),
  })
  if (answer.status !== 201) throw new Error(await answer.text())
  return ((await answer.json()) as { id: string }).id
}
