import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServiceProcess, type ServiceProcess } from '../testing/test-service-process.ts'

const apiKey = `phx_${'d'.repeat(40)}`
const crashes = 20
const minute = 60_000
const hour = 60 * minute
const windowsBehind = 600
/** End and start of the whole hours in the past that contain this test's events. */
const until = Math.floor(Date.now() / hour) * hour - hour
const from = until - 6 * hour

let folder: string
let service: ServiceProcess | null = null
/** Ids of the events that the service has acknowledged. */
const acknowledged = new Set<string>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-crash-'))
})
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

test('twenty crashes lose no acknowledged event, repeat or skip no window, and leave only complete files', async () => {
  await start()
  const token = await projectToken()
  const scheduled = await createExport('scheduled', 'every 5 minutes')
  const backfilled = await createExport('backfilled', 'hour')
  const firstWindow = await moveScheduleBack(scheduled)
  for (let crash = 0; crash < crashes; crash += 1) {
    const capturing = capture(token).catch(expectCrash)
    const backfill = request('POST', `/api/projects/@current/batch_exports/${backfilled}/backfill/`, {
      start_at: new Date(from).toISOString(),
      end_at: new Date(until).toISOString(),
    }).catch(expectCrash)
    await untilRunning(crash)
    await kill(crash % 2 === 0)
    await Promise.all([capturing, backfill])
    await start()
  }
  await untilAllEnded()
  expect(acknowledged.size).toBeGreaterThan(crashes)

  const windows = await scheduledWindows(scheduled)
  const expected = Array.from({ length: windows.length }, (_, index) => firstWindow + index * 5 * minute)
  expect(windows.length).toBeGreaterThanOrEqual(windowsBehind)
  expect(windows.map(({ start }) => start)).toEqual(expected)
  expect(windows.filter(({ status }) => status !== 'Completed')).toEqual([])

  // The files that the crashes left have whole lines; exported again, they also have every event.
  await exportedIds('backfilled')
  await rm(join(folder, 'exports', 'backfilled'), { recursive: true, force: true })
  await request('POST', `/api/projects/@current/batch_exports/${backfilled}/backfill/`, {
    start_at: new Date(from).toISOString(),
    end_at: new Date(until).toISOString(),
  })
  await untilAllEnded()
  const exported = await exportedIds('backfilled')
  expect(new Set(exported).size).toBe(exported.length)
  expect([...acknowledged].filter((id) => !new Set(exported).has(id))).toEqual([])
}, 180_000)

async function start(): Promise<void> {
  service = await startServiceProcess(folder, { SPOOL_BOOTSTRAP_API_KEY: apiKey })
}

/** Rethrows the error unless a crash interrupted the request, or the same backfill was still in progress. */
function expectCrash(error: unknown): void {
  const text = String(error)
  if (!text.includes('fetch failed') && !text.includes('409') && !text.includes('terminated')) throw error
}

async function kill(withPostgres: boolean): Promise<void> {
  if (!service) throw new Error('the service is not running')
  await service.kill(withPostgres)
  service = null
}

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${service?.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

async function projectToken(): Promise<string> {
  const user = await request<{ organization: { teams: { api_token: string }[] } }>('GET', '/api/users/@me/')
  return user.organization.teams[0]?.api_token ?? ''
}

async function createExport(path: string, interval: string): Promise<string> {
  const created = await request<{ id: string }>('POST', '/api/projects/@current/batch_exports/', {
    name: path,
    interval,
    destination: { type: 'File', config: { path, compression: null } },
  })
  return created.id
}

/** Captures batch after batch until the service crashes; acknowledged events must never be lost. */
async function capture(token: string): Promise<void> {
  for (;;) {
    const batch = Array.from({ length: 50 }, (_, index) => ({
      event: 'crash',
      uuid: randomUUID(),
      distinct_id: 'someone',
      timestamp: new Date(from + (((acknowledged.size + index) * 7919) % (until - from))).toISOString(),
      properties: { padding: 'x'.repeat(500) },
    }))
    const response = await fetch(`${service?.origin}/batch/`, {
      method: 'POST',
      body: JSON.stringify({ api_key: token, batch }),
    })
    if (response.status !== 200) throw new Error(`captured: ${response.status} ${await response.text()}`)
    for (const { uuid } of batch) acknowledged.add(uuid)
  }
}

async function withDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { url } = JSON.parse(await readFile(join(folder, 'postgres.json'), 'utf8')) as { url: string }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return await work(client).finally(() => client.end())
}

/** Moves an export's cursor back by days, as after downtime; resolves to the start (ms) of the first missed window. */
async function moveScheduleBack(id: string): Promise<number> {
  const { rows } = await withDatabase((client) =>
    client.query<{ scheduled_until: Date }>(
      `UPDATE batch_exports SET scheduled_until = scheduled_until - make_interval(mins => $2) WHERE id = $1 RETURNING scheduled_until`,
      [id, windowsBehind * 5],
    ),
  )
  return rows[0]?.scheduled_until.getTime() ?? 0
}

/** Resolves while a run is being executed, later into the run with each crash. */
async function untilRunning(crash: number): Promise<void> {
  await withDatabase(async (client) => {
    for (let seen = 0; seen <= crash * 3;) {
      const { rows } = await client.query(`SELECT FROM batch_export_runs WHERE status = 'Running' LIMIT 1`)
      if (rows.length > 0) seen += 1
    }
  })
}

async function untilAllEnded(): Promise<void> {
  await withDatabase(async (client) => {
    for (;;) {
      const { rows } = await client.query(
        `SELECT FROM batch_export_runs WHERE status IN ('Starting', 'Running', 'FailedRetryable') LIMIT 1`,
      )
      if (rows.length === 0) return
      await new Promise(setImmediate)
    }
  })
}

async function scheduledWindows(id: string) {
  const { rows } = await withDatabase((client) =>
    client.query<{ starts: Date; status: string }>(
      `SELECT data_interval_start AS starts, status FROM batch_export_runs WHERE batch_export_id = $1 AND origin = 'schedule' ORDER BY 1`,
      [id],
    ),
  )
  return rows.map(({ starts, status }) => ({ start: starts.getTime(), status }))
}

/** Returns the ids of the events in all files of a folder; fails if a file's last line is incomplete. */
async function exportedIds(path: string): Promise<string[]> {
  const directory = join(folder, 'exports', path)
  const names = await readdir(directory)
  expect(names.every((name) => /^\S+\.jsonl$/.test(name))).toBe(true)
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))
  expect(texts.every((text) => text.endsWith('}\n'))).toBe(true)
  return texts.flatMap((text) =>
    text
      .trimEnd()
      .split('\n')
      .map((line): string => JSON.parse(line).uuid),
  )
}
