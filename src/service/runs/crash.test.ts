import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { itemAt, serviceClient, type ServiceClient } from '../testing/test-service-client.ts'
import { startServiceProcess, type ServiceProcess } from '../testing/servers/test-service-process.ts'

const apiKey = `phx_${'d'.repeat(40)}`
const crashes = Number(process.env['SPOOL_TEST_CRASHES'] ?? 2)
const minute = 60_000
const hour = 60 * minute
const windowsBehind = crashes * 30
/** End and start of the whole hours in the past that contain this test's events. */
const until = Math.floor(Date.now() / hour) * hour - hour
const from = until - 6 * hour

let folder: string
let service: ServiceProcess | null = null
let client: ServiceClient
/** Ids of the events that the service has acknowledged. */
const acknowledged = new Set<string>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-crash-'))
  client = serviceClient(folder, apiKey, () => service?.origin)
})
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

test(`${crashes} crashes lose no acknowledged event, repeat or skip no window, and leave only complete files`, async () => {
  await start()
  const token = await client.projectToken()
  const scheduled = await client.createExport('scheduled', 'every 5 minutes')
  const backfilled = await client.createExport('backfilled', 'hour')
  const firstWindow = await moveScheduleBack(scheduled)
  for (let crash = 0; crash < crashes; crash += 1) {
    const capturing = capture(token).catch(expectCrash)
    const backfill = client.backfill(backfilled, from, until).catch(expectCrash)
    await untilRunning(crash)
    await kill(crash % 2 === 0)
    await Promise.all([capturing, backfill])
    await start()
  }
  await client.untilAllEnded()
  expect(acknowledged.size).toBeGreaterThan(crashes)

  const windows = await scheduledWindows(scheduled)
  const expected = Array.from({ length: windows.length }, (_, index) => firstWindow + index * 5 * minute)
  expect(windows.length).toBeGreaterThanOrEqual(windowsBehind)
  expect(windows.map(({ start }) => start)).toEqual(expected)
  expect(windows.filter(({ status }) => status !== 'Completed')).toEqual([])

  // The files that the crashes left have whole lines; exported again, they also have every event.
  await client.exportedIds('backfilled')
  await rm(join(folder, 'exports', '1', 'backfilled'), { recursive: true, force: true })
  await client.backfill(backfilled, from, until)
  await client.untilAllEnded()
  const exported = await client.exportedIds('backfilled')
  expect(new Set(exported).size).toBe(exported.length)
  expect([...acknowledged].filter((id) => !new Set(exported).has(id))).toEqual([])
}, 300_000)

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

/** Captures batch after batch until the service crashes; acknowledged events must never be lost. */
async function capture(token: string): Promise<void> {
  for (;;) {
    const batch = Array.from({ length: 50 }, (_, index) =>
      itemAt(from + (((acknowledged.size + index) * 7919) % (until - from))),
    )
    const status = await client.capture(token, batch)
    if (status !== 200) throw new Error(`captured: ${status}`)
    for (const { uuid } of batch) acknowledged.add(uuid)
  }
}

/** Moves an export's cursor back by days, as after downtime; resolves to the start (ms) of the first missed window. */
async function moveScheduleBack(id: string): Promise<number> {
  const { rows } = await client.withDatabase((client) =>
    client.query<{ scheduled_until: Date }>(
      `UPDATE batch_exports SET scheduled_until = scheduled_until - make_interval(mins => $2) WHERE id = $1 RETURNING scheduled_until`,
      [id, windowsBehind * 5],
    ),
  )
  return rows[0]?.scheduled_until.getTime() ?? 0
}

/** Resolves while a run is being executed, later into the run with each crash. */
async function untilRunning(crash: number): Promise<void> {
  await client.withDatabase(async (client) => {
    for (let seen = 0; seen <= crash * 3;) {
      const { rows } = await client.query(`SELECT FROM batch_export_runs WHERE status = 'Running' LIMIT 1`)
      if (rows.length > 0) seen += 1
    }
  })
}

async function scheduledWindows(id: string) {
  const { rows } = await client.withDatabase((client) =>
    client.query<{ starts: Date; status: string }>(
      `SELECT data_interval_start AS starts, status FROM batch_export_runs WHERE batch_export_id = $1 AND origin = 'schedule' ORDER BY 1`,
      [id],
    ),
  )
  return rows.map(({ starts, status }) => ({ start: starts.getTime(), status }))
}
