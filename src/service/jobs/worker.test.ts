import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { cancelBackfill, createBackfill } from './backfill.ts'
import { cancelRun, endExport } from './cancel.ts'
import { reap, takeOverAll } from './reaper.ts'
import { retryRun } from './retry.ts'
import { tick } from './scheduler.ts'
import { testJobs, type ExportRow, type RunRow, type TestJobs } from './test-jobs.ts'
import { openWorker, type Worker } from './worker.ts'

const minute = 60_000
const hour = 60 * minute
const start = Date.UTC(2026, 2, 10, 12)
const heavy = start - 100 * hour

let jobs: TestJobs
let worker: Worker
let folder: string

beforeAll(async () => {
  jobs = await testJobs(start)
  folder = jobs.services.exportsFolder ?? ''
  await jobs.insertEvents([
    { timestamp: start + 1 },
    { timestamp: start + 2 },
    { timestamp: start + hour + 1 },
  ])
  await jobs.services.warehouse.command(
    `INSERT INTO events (team_id, uuid, event, properties, distinct_id, timestamp, created_at, inserted_at, elements_chain, person_id, person_properties)
     SELECT {team: Int64}, generateUUIDv4(), 'many', concat('{"text":"', hex(sipHash128(number)), '"}'), toString(number), t, t, t, '', generateUUIDv4(), '{}'
     FROM (SELECT number, fromUnixTimestamp64Milli({at: Int64}, 'UTC') AS t FROM numbers(1500000))`,
    { params: { team: jobs.projectId, at: heavy } },
  )
})
beforeEach(() => {
  jobs.clock.time = start + hour + 10_000
  worker = openWorker(jobs.services)
})
afterEach(() => worker.stop())
afterAll(() => jobs.cleanup())

async function makeRun(change: Partial<ExportRow> = {}): Promise<{ row: ExportRow; run: RunRow }> {
  const row = await jobs.createExport({
    scheduled_until: new Date(start),
    end_at: new Date(start + hour),
    ...change,
  })
  await tick(jobs.services)
  const [run] = await jobs.runs(row.id)
  if (!run) throw new Error('the export has no run')
  return { row, run }
}

/** A run that takes seconds. */
function makeLongRun() {
  const until = heavy + hour
  return makeRun({
    scheduled_until: new Date(heavy),
    end_at: new Date(until),
    destination_config: { path: 'long', compression: 'brotli' },
  })
}

async function current(run: Pick<RunRow, 'id'>): Promise<RunRow> {
  const { store } = jobs.services
  return await store
    .selectFrom('batch_export_runs')
    .selectAll()
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow()
}

function change(run: Pick<RunRow, 'id'>, to: Partial<RunRow>) {
  return jobs.services.store.updateTable('batch_export_runs').set(to).where('id', '=', run.id).execute()
}

/** Resolves when the run's statement is running and its progress has been written. */
async function untilProgress(run: Pick<RunRow, 'id'>): Promise<RunRow> {
  for (;;) {
    const now = await current(run)
    if (now.records_total_count !== null || now.finished_at) return now
    await new Promise(setImmediate)
  }
}

test('a run ends Completed with its numbers, its file and a log of its steps', async () => {
  const { row, run } = await makeRun()
  await worker.work(run.id)
  const file = 'events/2026-03-10T12:00:00+00:00-2026-03-10T13:00:00+00:00.jsonl'
  const bytes = (await readFile(join(folder, file))).length
  expect(await current(run)).toMatchObject({
    status: 'Completed',
    attempt: 1,
    records_completed: 2,
    records_total_count: 2,
    bytes_exported: bytes,
    files: [file],
    latest_error: null,
    finished_at: new Date(jobs.clock.now()),
  })
  expect(await jobs.logs(row.id)).toEqual([
    'Attempt 1 started.',
    '2 records to export.',
    expect.stringMatching(
      /^Completed: wrote events\/.*\.jsonl \(2 records, \d+ bytes, \d+\.\d s, [\d,]+ records\/s\)\.$/,
    ),
  ])
})

test('a job that comes again, or to two workers at once, changes nothing', async () => {
  const { row, run } = await makeRun()
  const other = openWorker(jobs.services)
  await Promise.all([worker.work(run.id), other.work(run.id), worker.work(run.id)])
  await worker.work(run.id)
  expect(await current(run)).toMatchObject({ status: 'Completed', attempt: 1 })
  expect((await jobs.logs(row.id)).filter((line) => line.startsWith('Attempt'))).toHaveLength(1)
})

test('a long run shows its progress while it runs', async () => {
  const { run } = await makeLongRun()
  const working = worker.work(run.id)
  const seen = await untilProgress(run)
  expect(seen).toMatchObject({ status: 'Running', records_total_count: 1_500_000 })
  await working
  expect(await current(run)).toMatchObject({ status: 'Completed', records_completed: 1_500_000 })
})

test('a failed attempt is followed by another, five in all, and then the run has Failed', async () => {
  const { row, run } = await makeRun(refusedDestination(jobs))
  const delays = [5, 15, 60, 180]
  for (const [index, delay] of delays.entries()) {
    await worker.work(run.id)
    const waiting = await current(run)
    expect(waiting).toMatchObject({
      status: 'FailedRetryable',
      attempt: index + 1,
      worker_id: null,
      finished_at: null,
    })
    expect(waiting.latest_error).toContain('refused the connection')
    expect(waiting.next_attempt_at?.getTime()).toBe(jobs.clock.now() + delay * 1000)
    await worker.work(run.id)
    expect((await current(run)).attempt).toBe(index + 1)
    jobs.clock.time += delay * 1000
  }
  await worker.work(run.id)
  expect(await current(run)).toMatchObject({
    status: 'Failed',
    attempt: 5,
    finished_at: new Date(jobs.clock.now()),
  })
  expect((await jobs.logs(row.id)).filter((line) => line.includes('Next attempt at 2026-'))).toHaveLength(4)
}, 60_000)

test('an error that cannot get better ends a run at once', async () => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'occupied'), '')
  const { run } = await makeRun({ destination_config: { path: 'occupied' } })
  await worker.work(run.id)
  expect(await current(run)).toMatchObject({
    status: 'Failed',
    attempt: 1,
    latest_error: expect.stringContaining('occupied is a file'),
  })
})

test('ten failures among the last fifty runs pause the export, which says so; older ones count no more', async () => {
  await writeFile(join(folder, 'occupied'), '')
  jobs.clock.time = start + 12 * hour + 10_000
  const row = await jobs.createExport({
    scheduled_until: new Date(start),
    destination_config: { path: 'occupied' },
  })
  await tick(jobs.services)
  const runs = await jobs.runs(row.id)
  expect(runs).toHaveLength(12)
  const { store } = jobs.services
  const paused = async () => {
    const now = await store
      .selectFrom('batch_exports')
      .selectAll()
      .where('id', '=', row.id)
      .executeTakeFirstOrThrow()
    return now.paused ? now.last_paused_at : null
  }
  // The first two hours have events already.
  for (const hourOf of [...runs.keys()].slice(2))
    await jobs.insertEvents([{ timestamp: start + hourOf * hour + 7 }])
  for (const run of runs.slice(0, 9)) await worker.work(run.id)
  expect(await paused()).toBeNull()
  for (const run of runs.slice(9, 10)) await worker.work(run.id)
  expect(await paused()).toEqual(new Date(jobs.clock.now()))
  expect((await jobs.logs(row.id)).at(-1)).toContain('Paused by itself: 10 of the last 50 runs have failed.')
  await store.updateTable('batch_exports').set({ paused: false }).where('id', '=', row.id).execute()
  for (const run of runs.slice(10)) await worker.work(run.id)
  expect(await paused()).toBeNull()
})

test('cancelling stops the statement and ends the run and its backfill', async () => {
  const { row } = await makeLongRun()
  const created = await createBackfill(jobs.services, row, { start: heavy, end: heavy + hour })
  if (!created.ok) throw new Error(created.reason)
  const run = (await jobs.runs(row.id)).find(({ origin }) => origin === 'backfill')
  if (!run) throw new Error('the backfill has no run')
  const working = worker.work(run.id)
  await untilProgress(run)
  await cancelRun(jobs.services, await current(run))
  await working
  expect(await current(run)).toMatchObject({ status: 'Cancelled', finished_at: expect.any(Date) })
  expect(await backfillStatus(created.backfill.id)).toBe('Cancelled')
  expect((await jobs.logs(row.id)).at(-1)).toBe('Cancelled on request.')
  expect(await readdir(join(folder, '.partial'))).toEqual([])
})

test('deleting an export terminates what it has in progress', async () => {
  const { row, run } = await makeLongRun()
  const working = worker.work(run.id)
  await untilProgress(run)
  await jobs.services.store
    .transaction()
    .execute((transaction) => endExport(jobs.services, transaction, row.id))
  await working
  expect(await current(run)).toMatchObject({ status: 'Terminated' })
})

test('a run that takes longer than its interval has is ended as TimedOut', async () => {
  const { run } = await makeLongRun()
  const working = worker.work(run.id)
  await untilProgress(run)
  jobs.clock.time += hour + 1
  await working
  expect(await current(run)).toMatchObject({
    status: 'TimedOut',
    latest_error: expect.stringContaining('60 minutes'),
  })
})

test('a stopping worker hands its run back, and the next one begins it again without an attempt lost', async () => {
  const { row, run } = await makeLongRun()
  const working = worker.work(run.id)
  await untilProgress(run)
  await worker.stop()
  await working
  expect(await current(run)).toMatchObject({
    status: 'Starting',
    attempt: 0,
    worker_id: null,
    finished_at: null,
  })
  expect((await jobs.services.queue.waiting(jobs.services.store, [run.id])).size).toBe(1)
  expect((await jobs.logs(row.id)).at(-1)).toContain('Handed back')
  await openWorker(jobs.services).work(run.id)
  expect(await current(run)).toMatchObject({ status: 'Completed', attempt: 1 })
})

test('a run whose worker is dead is found and taken over by another', async () => {
  const { row, run } = await makeRun()
  await change(run, {
    status: 'Running',
    attempt: 1,
    worker_id: 'dead',
    heartbeat_at: new Date(jobs.clock.now() - 10_000),
  })
  await worker.work(run.id)
  expect(await current(run)).toMatchObject({ worker_id: 'dead', attempt: 1 })
  await dropJobs(run)
  jobs.clock.time += 6000
  await reap(jobs.services)
  expect((await jobs.services.queue.waiting(jobs.services.store, [run.id])).size).toBe(1)
  await worker.work(run.id)
  expect(await current(run)).toMatchObject({ status: 'Completed', attempt: 2 })
  expect(await jobs.logs(row.id)).toContainEqual(
    expect.stringContaining('Taken over: the worker of attempt 1'),
  )
})

test('a worker that was taken for dead writes nothing more to the run', async () => {
  const { run } = await makeLongRun()
  const working = worker.work(run.id)
  await untilProgress(run)
  await takeOverAll(jobs.services)
  await change(run, { worker_id: 'another', attempt: 7 })
  await working
  expect(await current(run)).toMatchObject({ status: 'Running', worker_id: 'another', attempt: 7 })
  await change(run, { status: 'Failed' })
})

test('a run that has lost its job is found again, and one that has it is left alone', async () => {
  const { run } = await makeRun()
  const { store, queue } = jobs.services
  jobs.clock.time += minute
  await reap(jobs.services)
  expect(await jobCount(run)).toBe(1)
  await dropJobs(run)
  await reap(jobs.services)
  expect(await jobCount(run)).toBe(1)
  expect((await queue.waiting(store, [run.id])).has(run.id)).toBe(true)
  await worker.work(run.id)
})

test('a retry is a new run of the same interval that takes the rows the same way', async () => {
  const { row, run } = await makeRun()
  await worker.work(run.id)
  const old = await current(run)
  const retried = await retryRun(jobs.services, row, old)
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

test('a backfill of 10,000 windows is made in seconds, refused twice, and cancelled whole', async () => {
  const row = await jobs.createExport({ interval: 'every 5 minutes', paused: true })
  const range = { start: start - 10_000 * 5 * minute, end: start }
  const began = performance.now()
  const created = await createBackfill(jobs.services, row, range)
  expect(performance.now() - began).toBeLessThan(10_000)
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
  await cancelBackfill(jobs.services, created.backfill)
  expect(await backfillStatus(created.backfill.id)).toBe('Cancelled')
  const after = await jobs.runs(row.id)
  expect(after.filter(({ status }) => status === 'Cancelled')).toHaveLength(9999)
}, 60_000)

test('a backfill of which a run failed has failed', async () => {
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

test('a store that never answers does not hold up a stop', async () => {
  const silent: Server = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const { run } = await makeRun(refusedDestination(jobs, `http://127.0.0.1:${port}`))
  const working = worker.work(run.id)
  await untilProgress(run)
  const began = performance.now()
  await worker.stop()
  expect(performance.now() - began).toBeLessThan(8000)
  await working
  expect(await current(run)).toMatchObject({ status: 'Starting', attempt: 0 })
  silent.closeAllConnections()
  silent.close()
}, 60_000)

async function jobCount(run: Pick<RunRow, 'id'>): Promise<number> {
  const { rows } = await sql`SELECT FROM queue.job WHERE data->>'id' = ${run.id}`.execute(jobs.services.store)
  return rows.length
}

async function dropJobs(run: Pick<RunRow, 'id'>): Promise<void> {
  await sql`DELETE FROM queue.job WHERE data->>'id' = ${run.id}`.execute(jobs.services.store)
}

async function backfillStatus(id: string): Promise<string> {
  const { store } = jobs.services
  const row = await store
    .selectFrom('batch_export_backfills')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.status
}

function refusedDestination({ services }: TestJobs, endpoint_url = 'http://127.0.0.1:9'): Partial<ExportRow> {
  const secrets = { aws_access_key_id: 'key', aws_secret_access_key: 'secret' }
  return {
    destination_type: 'S3',
    destination_config: { bucket_name: 'exports', region: 'us-east-1', endpoint_url },
    destination_secrets: services.secrets.seal(JSON.stringify(secrets)),
  }
}
