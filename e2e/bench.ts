import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { startService, type RunningService } from './service.ts'

type Figure = { what: string; measured: number; bound: number; unit: string; atLeast?: boolean }
type Tenant = { project_id: number; project_token: string; api_key: string }

const figures = [
  ...(await exportFigures()),
  ...(await withService(listFigures)),
  ...(await withService(captureFigures)),
]
for (const { what, measured, bound, unit, atLeast = false } of figures) {
  const holds = atLeast ? measured >= bound : measured <= bound
  const relation = atLeast ? '≥' : '≤'
  console.log(
    `${holds ? 'holds ' : 'BROKEN'}  ${what.padEnd(58)} ${round(measured)} ${unit}  (${relation} ${bound})`,
  )
  if (!holds) process.exitCode = 1
}

/** The exports' figures come from a process of their own: a process has one ClickHouse engine and one peak of memory. */
async function exportFigures(): Promise<Figure[]> {
  const script = join(import.meta.dirname, 'bench-export.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: 1e8 })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '[]')
}

async function withService(measure: (service: RunningService) => Promise<Figure[]>): Promise<Figure[]> {
  const service = await startService({ env: { SPOOL_RATE_LIMIT: '0', SPOOL_ROLES: 'serve' } })
  try {
    return await measure(service)
  } finally {
    await service.stop()
  }
}

async function listFigures(service: RunningService): Promise<Figure[]> {
  const tenant = await service.admin<Tenant>('organization', 'create', '--name', 'Bench')
  const url = `${service.origin}/api/projects/${tenant.project_id}/batch_exports/`
  const headers = { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' }
  for (let number = 0; number < 1000; number++) {
    const config = { path: `export-${number}` }
    const body = { name: `Export ${number}`, interval: 'hour', destination: { type: 'File', config } }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    if (answer.status !== 201) throw new Error(await answer.text())
  }
  const { Client } = await import('pg')
  const { url: database } = JSON.parse(await readFile(join(service.dataDirectory, 'postgres.json'), 'utf8'))
  const client = new Client({ connectionString: database })
  await client.connect()
  await client.query(`
    INSERT INTO batch_export_runs (id, batch_export_id, project_id, origin, selects_by, status, attempt, data_interval_start,
      data_interval_end, records_completed, created_at, finished_at, last_updated_at)
    SELECT gen_random_uuid(), id, project_id, 'schedule', 'arrival', 'Completed', 1, hour, hour + interval '1 hour', 1000, hour, hour, hour
    FROM batch_exports, generate_series(now() - interval '48 hours', now(), interval '1 hour') AS hour`)
  const config = { path: 'grid' }
  const body = { name: 'Grid', interval: 'every 5 minutes', destination: { type: 'File', config } }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const { id } = (await answer.json()) as { id: string }
  await client.query(
    `INSERT INTO batch_export_runs (id, batch_export_id, project_id, origin, selects_by, status, attempt, data_interval_start,
      data_interval_end, records_completed, records_total_count, created_at, started_at, finished_at, last_updated_at)
    SELECT uuidv7(), id, project_id, 'schedule', 'arrival', 'Completed', 1, start, start + interval '5 minutes', 1000, 1000,
      start, start, start, start
    FROM batch_exports, generate_series(timestamptz '2026-01-01Z', timestamptz '2026-01-01Z' + 9999 * interval '5 minutes', interval '5 minutes') AS start
    WHERE id = $1`,
    [id],
  )
  await client.query('VACUUM ANALYZE')
  await client.end()
  const period = `start=2026-01-01T00:00:00Z&end=${new Date(Date.UTC(2026, 0, 1) + 10_000 * 300_000).toISOString()}`
  const figure = async (
    what: string,
    bound: number,
    requests: number,
    path: (request: number) => string,
  ) => ({
    what,
    bound,
    measured: await answerTime(requests, what.endsWith('p95') ? 0.95 : 0.5, (request) =>
      fetch(`${url}${path(request)}`, { headers }),
    ),
    unit: 'ms',
  })
  return [
    await figure(
      'a page of 100 out of 1,000 exports with latest runs, p95',
      25,
      200,
      (request) => `?limit=100&offset=${(request % 10) * 100}`,
    ),
    await figure('the overview of 1,000 exports, median', 200, 40, () => 'overview/'),
    await figure('the coverage of 10,000 windows, median', 50, 40, () => `${id}/coverage/?${period}`),
  ]
}

/** The time (milliseconds) that this share of the answers keeps to, after a tenth more to warm up. */
async function answerTime(
  requests: number,
  share: number,
  ask: (request: number) => Promise<Response>,
): Promise<number> {
  const times: number[] = []
  const warmUp = requests / 10
  for (let request = 0; request < requests + warmUp; request++) {
    const began = performance.now()
    await (await ask(request)).text()
    times.push(performance.now() - began)
  }
  const sorted = times.slice(warmUp).sort((a, b) => a - b)
  return sorted[Math.ceil(requests * share) - 1] ?? NaN
}

async function captureFigures(service: RunningService): Promise<Figure[]> {
  const tenant = await service.admin<Tenant>('organization', 'create', '--name', 'Bench')
  const batches = Array.from({ length: 600 }, (_, batch) =>
    gzipSync(JSON.stringify(captureBatch(tenant, batch)), { level: 1 }),
  )
  const send = async (body: Buffer) => {
    const answer = await fetch(`${service.origin}/e/?ip=1`, { method: 'POST', body: new Uint8Array(body) })
    if (answer.status !== 200) throw new Error(await answer.text())
  }
  for (const body of batches.slice(0, 40)) await send(body)
  const queue = batches.slice(40)
  const events = queue.length * eventsPerBatch
  const began = performance.now()
  const clients = Array.from({ length: 24 }, async () => {
    for (let body = queue.pop(); body; body = queue.pop()) await send(body)
  })
  await Promise.all(clients)
  const seconds = (performance.now() - began) / 1000
  return [
    {
      what: 'capture, batches of 50 as posthog-js sends them',
      measured: events / seconds,
      bound: 10_000,
      unit: 'events/s',
      atLeast: true,
    },
  ]
}

const eventsPerBatch = 50

function captureBatch(tenant: Tenant, batch: number): unknown[] {
  const visitor = `visitor-${batch % 200}`
  return Array.from({ length: eventsPerBatch }, (_, index) => ({
    uuid: crypto.randomUUID(),
    event: index % 10 === 0 ? '$pageview' : '$autocapture',
    properties: {
      token: tenant.project_token,
      distinct_id: visitor,
      $session_id: `session-${batch}`,
      $window_id: `window-${batch}`,
      $current_url: `https://shop.example/products/${index}?from=search`,
      $host: 'shop.example',
      $pathname: `/products/${index}`,
      $browser: 'Chrome',
      $browser_version: 156,
      $os: 'Mac OS X',
      $device_type: 'Desktop',
      $screen_width: 1440,
      $screen_height: 900,
      $viewport_width: 1280,
      $viewport_height: 720,
      $lib: 'web',
      $lib_version: '1.449.2',
      $insert_id: crypto.randomUUID(),
      $time: Date.now() / 1000,
      $referrer: '$direct',
      $initial_person_info: { r: '$direct', u: 'https://shop.example/' },
      $elements_chain:
        'button.primary:attr__class="primary"nth-child="2"nth-of-type="1"text="Add to cart";div:nth-child="1"',
      $process_person_profile: false,
    },
    timestamp: new Date().toISOString(),
  }))
}

function round(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(2)
}
