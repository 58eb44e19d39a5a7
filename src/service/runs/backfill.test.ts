import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { stopBackfill, createBackfill } from './backfill.ts'
import { stopRun, stopExport } from './stop-runs.ts'
import { createRetry } from './retry.ts'
import { inTransaction } from '../store/schema/database.ts'
import {
  current,
  folder,
  heavy,
  hour,
  jobs,
  createLongRun,
  createRun,
  minute,
  openTestRuns,
  openTestWorker,
  start,
  untilProgress,
  worker,
} from '../testing/test-runs.ts'

beforeAll(openTestRuns)
beforeEach(openTestWorker)
afterEach(() => worker.stop())
afterAll(() => jobs.cleanup())

test('cancelling a run stops its statement and ends the run and its backfill', async () => {
  const { row } = await createLongRun()
  const created = await createBackfill(jobs.services, row, { start: heavy, end: heavy + hour })
  if (!created.ok) throw new Error(created.reason)
  const run = (await jobs.runs(row.id)).find(({ origin }) => origin === 'backfill')
  if (!run) throw new Error('the backfill has no run')
  const working = worker.work(run.id)
  await untilProgress(run)
  await stopRun(jobs.services, await current(run))
  await working
  expect(await current(run)).toMatchObject({ status: 'Cancelled', finished_at: expect.any(Date) })
  expect(await backfillStatus(created.backfill.id)).toBe('Cancelled')
  expect((await jobs.logs(row.id)).at(-1)).toBe('Cancelled on request.')
  expect(await readdir(join(folder, '../.partial'))).toEqual([])
})

test('deleting an export terminates its runs in progress', async () => {
  const { row, run } = await createLongRun()
  const working = worker.work(run.id)
  await untilProgress(run)
  const { services } = jobs
  await inTransaction(services.store, (transaction) => stopExport(services, transaction, row.id))
  await working
  expect(await current(run)).toMatchObject({ status: 'Terminated' })
})

test('a retry creates a new run that selects rows of the same interval in the same way', async () => {
  const { row, run } = await createRun()
  await worker.work(run.id)
  const old = await current(run)
  const retried = await createRetry(jobs.services, row, old)
  expect(retried.run).toMatchObject({
    status: 'Starting',
    origin: 'retry',
    selects_by: 'arrival',
    data_interval_start: old.data_interval_start,
    backfill_id: retried.backfill.id,
  })
  expect(retried.backfill.workflow_id).toBe(
    `${row.id}-Backfill-2026-03-10T12:00:00+00:00-2026-03-10T13:00:00+00:00`,
  )
  await worker.work(retried.run.id)
  expect(await current(retried.run)).toMatchObject({ status: 'Completed', records_completed: 2 })
  expect(await backfillStatus(retried.backfill.id)).toBe('Completed')
  expect(await current(run)).toEqual(old)
})

test('a backfill takes windows of the schedule by arrival, and earlier ones by the time of the event', async () => {
  const row = await jobs.createExport({ created_at: new Date(start + 1), paused: true })
  const range = { start: start - 2 * hour, end: start + 2 * hour }
  expect(await createBackfill(jobs.services, row, range)).toMatchObject({ ok: true })
  const selections = (await jobs.runs(row.id)).map((run) => run.selects_by)
  expect(selections).toEqual(['time', 'time', 'arrival', 'arrival'])
})

test('of backfills with the same first and last window, only one of the same windows is refused', async () => {
  const row = await jobs.createExport({ paused: true })
  const range = { start: start - 4 * hour, end: start }
  const window = (number: number) => ({
    start: range.start + number * hour,
    end: range.start + (number + 1) * hour,
  })
  const backfill = async (...numbers: number[]) =>
    (await createBackfill(jobs.services, row, range, numbers.length > 0 ? numbers.map(window) : null)).ok
  expect(await backfill(0, 1, 3)).toBe(true)
  expect(await backfill(3, 0, 1)).toBe(false)
  expect(await backfill(0, 2, 3)).toBe(true)
  expect(await backfill()).toBe(true)
  expect(await backfill()).toBe(false)
})

test('a backfill of 10,000 windows is created with few statements, only once, and can be cancelled', async () => {
  const row = await jobs.createExport({ interval: 'every 5 minutes', paused: true })
  const range = { start: start - 10_000 * 5 * minute, end: start }
  const statements = vi.spyOn(Client.prototype, 'query')
  const created = await createBackfill(jobs.services, row, range)
  expect(statements.mock.calls.length).toBeLessThan(50)
  statements.mockRestore()
  if (!created.ok) throw new Error(created.reason)
  expect(created.backfill).toMatchObject({ total_runs: 10_000, status: 'Starting' })
  expect(await createBackfill(jobs.services, row, range)).toMatchObject({
    ok: false,
    reason: expect.stringContaining('still in progress'),
  })
  const runs = await jobs.runs(row.id)
  expect(runs).toHaveLength(10_000)
  await worker.work(runs[0]?.id ?? '')
  expect(await backfillStatus(created.backfill.id)).toBe('Running')
  await stopBackfill(jobs.services, created.backfill)
  expect(await backfillStatus(created.backfill.id)).toBe('Cancelled')
  const after = await jobs.runs(row.id)
  expect(after.filter(({ status }) => status === 'Cancelled')).toHaveLength(9999)
})

test('a backfill with a failed run ends as failed', async () => {
  await rm(join(folder, 'half'), { recursive: true, force: true })
  const row = await jobs.createExport({ paused: true, destination_config: { path: 'half/{hour}' } })
  await mkdir(join(folder, 'half'), { recursive: true })
  await writeFile(join(folder, 'half', '14'), '')
  const created = await createBackfill(jobs.services, row, { start, end: start + 2 * hour })
  if (!created.ok) throw new Error(created.reason)
  const statuses: string[] = []
  for (const run of await jobs.runs(row.id)) {
    await worker.work(run.id)
    statuses.push((await current(run)).status)
  }
  expect(statuses).toEqual(['Completed', 'Failed'])
  expect(await backfillStatus(created.backfill.id)).toBe('Failed')
})

async function backfillStatus(id: string): Promise<string> {
  const { store } = jobs.services
  const row = await store
    .selectFrom('batch_export_backfills')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.status
}
