import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { tick } from '../background/scheduler.ts'
import { openWorker } from './worker.ts'
import {
  current,
  folder,
  hour,
  jobs,
  createLongRun,
  createRun,
  openTestRuns,
  openTestWorker,
  unreachableDestination,
  start,
  untilProgress,
  worker,
} from '../testing/test-runs.ts'

beforeAll(openTestRuns)
beforeEach(openTestWorker)
afterEach(() => worker.stop())
afterAll(() => jobs.cleanup())

test('a completed run records its counts, its file and a log of its steps', async () => {
  const { row, run } = await createRun()
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

test('a run is executed once even if it is given to a worker again, or to two workers at once', async () => {
  const { row, run } = await createRun()
  const other = openWorker(jobs.services)
  await Promise.all([worker.work(run.id), other.work(run.id), worker.work(run.id)])
  await worker.work(run.id)
  expect(await current(run)).toMatchObject({ status: 'Completed', attempt: 1 })
  expect((await jobs.logs(row.id)).filter((line) => line.startsWith('Attempt'))).toHaveLength(1)
})

test('stopping waits for a claim in progress, whose run another worker continues', async () => {
  const { run } = await createRun()
  const lock = await jobs.pool.connect()
  await lock.query('BEGIN; LOCK TABLE batch_exports IN ACCESS EXCLUSIVE MODE')
  const working = worker.work(run.id)
  await vi.waitUntil(async () => {
    const { rowCount } = await lock.query(
      "SELECT FROM pg_locks WHERE NOT granted AND relation = 'batch_exports'::regclass",
    )
    return rowCount === 1
  })
  const order: string[] = []
  const stopping = worker.stop().then(() => order.push('stopped'))
  await lock.query('COMMIT')
  order.push('unlocked')
  lock.release()
  await Promise.all([stopping, working])
  expect(order).toEqual(['unlocked', 'stopped'])
  await openWorker(jobs.services).work(run.id)
  expect(await current(run)).toMatchObject({ status: 'Completed', attempt: 1 })
})

test('a long run reports its progress while it is running', async () => {
  const { run } = await createLongRun()
  const working = worker.work(run.id)
  const seen = await untilProgress(run)
  expect(seen).toMatchObject({ status: 'Running', records_total_count: 600_000 })
  await working
  expect(await current(run)).toMatchObject({ status: 'Completed', records_completed: 600_000 })
})

test('a run has five attempts before it fails', async () => {
  const { row, run } = await createRun(unreachableDestination(jobs))
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

test('a permanent error fails a run at once', async () => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'occupied'), '')
  const { run } = await createRun({ destination_config: { path: 'occupied' } })
  await worker.work(run.id)
  expect(await current(run)).toMatchObject({
    status: 'Failed',
    attempt: 1,
    latest_error: expect.stringContaining('occupied is a file'),
  })
})

test('ten failures among the last fifty scheduled runs pause the export and log why; failures before the pause no longer count', async () => {
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
  // The first two hours already have events.
  for (const hourOf of [...runs.keys()].slice(2))
    await jobs.insertEvents([{ timestamp: start + hourOf * hour + 7 }])
  for (const run of runs.slice(0, 9)) await worker.work(run.id)
  expect(await paused()).toBeNull()
  for (const run of runs.slice(9, 10)) await worker.work(run.id)
  expect(await paused()).toEqual(new Date(jobs.clock.now()))
  expect((await jobs.logs(row.id)).at(-1)).toContain(
    'Paused automatically: 10 of its last 12 scheduled runs failed.',
  )
  await store.updateTable('batch_exports').set({ paused: false }).where('id', '=', row.id).execute()
  for (const run of runs.slice(10)) await worker.work(run.id)
  expect(await paused()).toBeNull()
})

test('a run that exceeds its time limit ends as TimedOut', async () => {
  const { run } = await createLongRun()
  const working = worker.work(run.id)
  await untilProgress(run)
  jobs.clock.time += hour + 1
  await working
  expect(await current(run)).toMatchObject({
    status: 'TimedOut',
    latest_error: expect.stringContaining('60 minutes'),
  })
})
