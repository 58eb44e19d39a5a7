import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { objectsBetween, setVerifyMode } from '../store/windows/ledger.ts'
import { newestVerification, requestVerification } from '../store/windows/verifications.ts'
import { windowLedger } from '../store/windows/window-ledger.ts'
import { testJobs, type TestJobs } from '../testing/test-jobs.ts'
import { createBackfill } from '../runs/backfill.ts'
import { tick } from './scheduler.ts'
import { requestNightlySamples, verifyNext } from './verify-windows.ts'
import { openWorker } from '../runs/worker.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 2, 10, 12)
const { signal } = new AbortController()

let jobs: TestJobs
let folder: string
beforeAll(async () => {
  jobs = await testJobs(start)
  folder = jobs.folder
})
afterAll(() => jobs.cleanup())

/** Exports `hours` windows from `start`, each with its number of events. */
async function exported(path: string, hours: readonly number[]): Promise<BatchExportRow> {
  const row = await jobs.createExport({
    destination_config: { path },
    scheduled_until: new Date(start),
    end_at: new Date(start + hours.length * hour),
  })
  jobs.clock.time = start + hours.length * hour + 60_000
  await work()
  return row
}

async function work(): Promise<void> {
  const worker = openWorker(jobs.services)
  await tick(jobs.services)
  const waiting = await jobs.services.store
    .selectFrom('batch_export_runs')
    .select('id')
    .where('status', '=', 'Starting')
    .execute()
  for (const { id } of waiting) await worker.work(id)
}

const ledger = (row: BatchExportRow, hours: number) =>
  windowLedger(jobs.services.store, row, { start, end: start + hours * hour }, jobs.clock.now())
const objectsOf = async (row: BatchExportRow, hours: number) => {
  const period = { start, end: start + hours * hour }
  const byRun = await objectsBetween(jobs.services.store, row.id, period, 100)
  return (await ledger(row, hours)).map(({ entry }) => byRun.get(entry?.run_id ?? '')?.objects ?? [])
}
const states = async (row: BatchExportRow, hours: number) =>
  (await ledger(row, hours)).map(({ state, flags }) => [state, ...flags].join(' '))
const verifyAll = async () => {
  while (await verifyNext(jobs.services, signal));
}
const request = (row: BatchExportRow, from: number, until: number) =>
  requestVerification(jobs.services.store, {
    batchExportId: row.id,
    actor: 'Key',
    at: new Date(jobs.clock.now()),
    selection: { start: new Date(start + from * hour), end: new Date(start + until * hour) },
  })

test('records what each run wrote, and verifies the requested windows with progress', async () => {
  await jobs.insertEvents([0, 0, 1, 3].map((at, index) => ({ timestamp: start + at * hour + index })))
  const row = await exported('recorded', [2, 1, 0, 1])
  const entries = (await ledger(row, 5)).map(({ entry }) => entry)
  expect(entries.map((entry) => entry && [entry.rows_expected, entry.rows_written])).toEqual([
    [2, 2],
    [1, 1],
    [0, 0],
    [1, 1],
    null,
  ])
  const objects = await objectsOf(row, 4)
  expect(objects.map((each) => each.length)).toEqual([1, 1, 0, 1])
  expect(objects[0]).toEqual([
    {
      key: expect.stringMatching(/^recorded\/.*\.jsonl$/),
      bytes: expect.any(Number),
      checksum: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      holds: 'rows',
    },
  ])
  expect(await states(row, 5)).toEqual(['unverified', 'unverified', 'unverified', 'unverified', 'skipped'])
  expect(await request(row, 20, 30)).toBeNull()
  expect(await request(row, 0, 3)).toMatchObject({ total: 3, waiting: 3, actor: 'Key' })
  await verifyNext(jobs.services, signal)
  expect(await states(row, 4)).toEqual(['unverified', 'unverified', 'proven', 'unverified'])
  expect(await newestVerification(jobs.services.store, row.id)).toMatchObject({ total: 3, waiting: 2 })
  await verifyAll()
  expect(await states(row, 4)).toEqual(['proven', 'proven', 'proven', 'unverified'])
  expect(await newestVerification(jobs.services.store, row.id)).toMatchObject({ total: 3, waiting: 0 })
})

/** Cuts the file of the first window and removes that of the second. */
async function harm(row: BatchExportRow): Promise<void> {
  const keys = (await objectsOf(row, 2)).map((objects) => join(folder, objects[0]?.key ?? ''))
  const [first = '', second = ''] = keys
  await writeFile(first, (await readFile(first, 'utf8')).split('\n')[0] ?? '')
  await rm(second)
}

test('flags changed and missing files; a new run of the window clears the flag', async () => {
  const row = await exported('harmed', [2, 1])
  await harm(row)
  await request(row, 0, 2)
  await verifyAll()
  expect(await states(row, 2)).toEqual(['refuted short changed', 'refuted gone'])
  await createBackfill(jobs.services, row, { start, end: start + 2 * hour })
  await work()
  expect(await states(row, 2)).toEqual(['unverified', 'unverified'])
  await request(row, 0, 2)
  await verifyAll()
  expect(await states(row, 2)).toEqual(['proven', 'proven'])
})

test('verifies each run of an export that asks for it, and a sample every night', async () => {
  const row = await jobs.createExport({
    destination_config: { path: 'each' },
    scheduled_until: new Date(start),
    end_at: new Date(start + hour),
  })
  await setVerifyMode(jobs.services.store, row.id, 'each_run')
  await work()
  await verifyAll()
  expect(await states(row, 1)).toEqual(['proven'])
  const sampled = await exported('sampled', [2, 1])
  await setVerifyMode(jobs.services.store, sampled.id, 'nightly')
  await requestNightlySamples(jobs.services)
  await verifyAll()
  const verifiedAt = async () => (await ledger(sampled, 2)).map(({ entry }) => entry?.verified_at?.getTime())
  const once = jobs.clock.now()
  expect(await verifiedAt()).toEqual([once, once])
  jobs.clock.time += hour
  await requestNightlySamples(jobs.services)
  expect(await verifyNext(jobs.services, signal)).toBe(false)
  jobs.clock.time += 24 * hour
  await requestNightlySamples(jobs.services)
  await verifyAll()
  expect(await verifiedAt()).toEqual([once + 25 * hour, once + 25 * hour])
})

test('a store that cannot be reached ends the verification of all windows of its export', async () => {
  const moved = await toUnreachable(await exported('unreached', [2, 1, 0, 1]))
  await request(moved, 0, 4)
  expect(await verifyNext(jobs.services, signal)).toBe(true)
  expect(await verifyNext(jobs.services, signal)).toBe(false)
  expect(await states(moved, 4)).toEqual(Array(4).fill('unreadable'))
})

test('what is known to be wrong with a window still counts while its store cannot be reached', async () => {
  const row = await exported('harmed-unreached', [2, 1, 0, 1])
  await harm(row)
  await request(row, 0, 4)
  await verifyAll()
  const moved = await toUnreachable(row)
  await request(moved, 0, 4)
  await verifyAll()
  expect(await states(moved, 4)).toEqual([
    'refuted short changed',
    'refuted gone',
    'unreadable',
    'unreadable',
  ])
})

/** Moves an export and what it wrote to a store at which nothing listens. */
async function toUnreachable(row: BatchExportRow): Promise<BatchExportRow> {
  const config = {
    bucket_name: 'b',
    region: 'us-east-1',
    endpoint_url: 'http://127.0.0.1:9',
    prefix: 'unreached',
  }
  const secrets = jobs.services.secrets.seal(
    JSON.stringify({ aws_access_key_id: 'id', aws_secret_access_key: 'secret' }),
  )
  const { store } = jobs.services
  const destination = {
    destination_type: 'S3' as const,
    destination_config: config,
    destination_secrets: secrets,
  }
  const settings = { ...row, ...destination, destination_secrets: undefined }
  await store
    .updateTable('batch_export_ledger')
    .set({ settings: JSON.stringify(settings) })
    .where('batch_export_id', '=', row.id)
    .execute()
  return await store
    .updateTable('batch_exports')
    .set(destination)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

test('knows windows without a recorded run, and those that an export of another interval wrote', async () => {
  const row = await exported('states', [2, 1, 0, 1])
  const { store } = jobs.services
  await request(row, 0, 4)
  await verifyAll()
  await store
    .deleteFrom('batch_export_ledger')
    .where('batch_export_id', '=', row.id)
    .where('data_interval_start', '=', new Date(start))
    .execute()
  await store
    .updateTable('batch_export_runs')
    .set({ status: 'Failed' })
    .where('batch_export_id', '=', row.id)
    .where('data_interval_start', '=', new Date(start + 3 * hour))
    .execute()
  await store
    .deleteFrom('batch_export_ledger')
    .where('batch_export_id', '=', row.id)
    .where('data_interval_start', '=', new Date(start + 3 * hour))
    .execute()
  expect(await states(row, 4)).toEqual(['unrecorded', 'proven', 'proven', 'missing'])
  const shorter = { ...row, interval: 'every 30 minutes' as const }
  expect(await states(shorter, 4)).toEqual([
    ...Array(2).fill('unrecorded'),
    ...Array(4).fill('proven'),
    ...Array(2).fill('missing'),
  ])
})
