import { ClickHouseError } from '@clickhouse/client'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { RunRow } from '../store/runs/runs-list.ts'
import { takeOverAll } from '../store/runs/write-runs.ts'
import { EngineDown } from '../problems/down-engine.ts'
import { stopRun } from './stop-runs.ts'
import { waitingRuns } from './waiting-runs.ts'
import { openWorker } from './worker.ts'
import {
  changeRun,
  current,
  jobs,
  createLongRun,
  createRun,
  minute,
  openTestRuns,
  openTestWorker,
  unreachableDestination,
  untilProgress,
  worker,
} from '../testing/test-runs.ts'

beforeAll(openTestRuns)
beforeEach(openTestWorker)
afterEach(() => worker.stop())
afterAll(() => jobs.cleanup())

test('a stopping worker hands its run back, and the next worker starts over without losing an attempt', async () => {
  const { row, run } = await createLongRun()
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
  expect(await isFound(run)).toBe(true)
  expect((await jobs.logs(row.id)).at(-1)).toContain('Handed back')
  await openWorker(jobs.services).work(run.id)
  expect(await current(run)).toMatchObject({ status: 'Completed', attempt: 1, latest_error: null })
})

test('stopping the statements of a worker once more does not stop those of the next worker', async () => {
  const { run } = await createLongRun()
  const killing = vi.spyOn(jobs.services.warehouse, 'kill')
  onTestFinished(() => killing.mockRestore())
  const working = worker.work(run.id)
  await untilProgress(run)
  await worker.stop()
  await working
  const marks = killing.mock.calls.flat()
  expect(marks).not.toEqual([])
  await changeRun(run, { records_total_count: null })
  const workingNext = openWorker(jobs.services).work(run.id)
  await untilProgress(run)
  for (const mark of marks) await jobs.services.warehouse.kill(mark)
  await workingNext
  expect(await current(run)).toMatchObject({ status: 'Completed', attempt: 1, latest_error: null })
})

test('a run whose worker is dead is taken over by another worker', async () => {
  const { row, run } = await createRun()
  await changeRun(run, {
    status: 'Running',
    attempt: 1,
    worker_id: 'dead',
    heartbeat_at: new Date(jobs.clock.now() - 10_000),
  })
  await worker.work(run.id)
  expect(await current(run)).toMatchObject({ worker_id: 'dead', attempt: 1 })
  jobs.clock.time += 6000
  await worker.work(run.id)
  expect(await current(run)).toMatchObject({ status: 'Completed', attempt: 2 })
  expect(await jobs.logs(row.id)).toContainEqual(
    expect.stringContaining('Taken over: the worker of attempt 1'),
  )
})

test('a run is taken over or cancelled although its statements cannot be stopped', async () => {
  const down = new EngineDown('ClickHouse', new Error('read ECONNRESET'))
  const killing = vi.spyOn(jobs.services.warehouse, 'kill').mockRejectedValue(down)
  onTestFinished(() => killing.mockRestore())
  const dead = { status: 'Running', attempt: 1, worker_id: 'dead', heartbeat_at: new Date(0) } as const
  const { run } = await createRun()
  await changeRun(run, dead)
  await worker.work(run.id)
  expect(await current(run)).toMatchObject({ status: 'Completed', attempt: 2 })
  const { run: other } = await createRun()
  await changeRun(other, dead)
  expect(await stopRun(jobs.services, { ...other, ...dead })).toEqual(new Date(jobs.clock.now()))
  expect(killing.mock.calls.flat()).toContain(`run:${other.id}:1:dead`)
})

test('a worker keeps a run that it takes over while stopping its statements takes long', async () => {
  const kill = Promise.withResolvers<undefined>()
  const killing = vi.spyOn(jobs.services.warehouse, 'kill').mockReturnValueOnce(kill.promise)
  onTestFinished(() => killing.mockRestore())
  const { run } = await createRun()
  await changeRun(run, { status: 'Running', attempt: 1, worker_id: 'dead', heartbeat_at: new Date(0) })
  const working = worker.work(run.id)
  await vi.waitFor(() => expect(killing).toHaveBeenCalled())
  jobs.clock.time += minute
  const now = new Date(jobs.clock.now())
  await vi.waitFor(async () => expect((await current(run))?.heartbeat_at).toEqual(now), { timeout: 5000 })
  kill.resolve(undefined)
  await working
  expect(await current(run)).toMatchObject({ status: 'Completed', attempt: 2 })
})

test('a worker considered dead no longer changes its run', async () => {
  const { run } = await createLongRun()
  const working = worker.work(run.id)
  await untilProgress(run)
  await takeOverAll(jobs.services)
  await changeRun(run, { worker_id: 'another', attempt: 7 })
  await working
  expect(await current(run)).toMatchObject({ status: 'Running', worker_id: 'another', attempt: 7 })
  await changeRun(run, { status: 'Failed' })
})

test('a run is found once it is due or its worker is dead', async () => {
  const { run } = await createRun()
  expect(await isFound(run)).toBe(true)
  await changeRun(run, {
    status: 'FailedRetryable',
    next_attempt_at: new Date(jobs.clock.now() + minute),
  })
  expect(await isFound(run)).toBe(false)
  jobs.clock.time += minute
  expect(await isFound(run)).toBe(true)
  await changeRun(run, { status: 'Running', worker_id: 'dead', heartbeat_at: new Date(jobs.clock.now()) })
  expect(await isFound(run)).toBe(false)
  jobs.clock.time += minute
  expect(await isFound(run)).toBe(true)
  await worker.work(run.id)
  expect(await isFound(run)).toBe(false)
})

function isInterrupted({ type, value }: { type: string; value?: unknown }): boolean {
  return type === 'incomplete' || (value instanceof ClickHouseError && value.type === 'QUERY_WAS_CANCELLED')
}

test('a destination that never responds does not delay a stop', async () => {
  const silent: Server = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const { run } = await createRun(unreachableDestination(jobs, `http://127.0.0.1:${port}`))
  const write = vi.spyOn(jobs.services.warehouse, 'command')
  onTestFinished(() => write.mockRestore())
  const requested = once(silent, 'request')
  const working = worker.work(run.id)
  await requested
  await worker.stop()
  // Without the interruption, the statement would fail with a timeout of the destination.
  expect(write.mock.settledResults).toHaveLength(1)
  expect(write.mock.settledResults[0]).toSatisfy(isInterrupted)
  await working
  expect(await current(run)).toMatchObject({ status: 'Starting', attempt: 0 })
  silent.closeAllConnections()
  silent.close()
})

async function isFound(run: Pick<RunRow, 'id'>): Promise<boolean> {
  const waiting = await waitingRuns(jobs.services.store, jobs.clock.now(), 1000)
  return waiting.some(({ id }) => id === run.id)
}
