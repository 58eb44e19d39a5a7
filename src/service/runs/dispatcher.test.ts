import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { openDispatcher } from './dispatcher.ts'
import { openWorker } from './worker.ts'
import { defaultWorkers } from '../config.ts'
import { insertScheduledRuns } from '../store/runs/write-runs.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { startHungStore, type HangsAt } from '../testing/servers/hung-store.ts'
import { testJobs, type TestJobs } from '../testing/test-jobs.ts'
import { unreachableDestination } from '../testing/test-runs.ts'
import { startTestStore } from '../testing/test-store.ts'

const hour = 3_600_000
const start = Math.floor(Date.now() / hour) * hour - 2 * hour

let jobs: TestJobs
beforeAll(async () => {
  jobs = await testJobs(Date.now())
  await jobs.insertEvents([{ timestamp: start + 1 }])
})
afterAll(() => jobs.cleanup())

/** Dispatches runs with the system's clock and this many workers. */
function dispatch(workers: number) {
  const services = { ...jobs.services, clock: systemClock, config: { ...jobs.services.config, workers } }
  const worker = openWorker(services)
  const dispatcher = openDispatcher(services, worker)
  onTestFinished(async () => {
    await dispatcher.stop()
    await worker.stop()
  })
}

/** Creates an export, and a run for the hour that contains the one event. */
async function createRun(change: Partial<BatchExportRow> = {}): Promise<BatchExportRow> {
  const row = await jobs.createExport({ paused: true, ...change })
  const window = { start, end: start + hour }
  await jobs.services.store
    .transaction()
    .execute((transaction) => insertScheduledRuns(transaction, row, [window], systemClock.now()))
  return row
}

async function createHungRun(hangsAt: HangsAt) {
  const store = await startHungStore(hangsAt)
  onTestFinished(() => store.close())
  return { store, row: await createRun(unreachableDestination(jobs, store.endpoint)) }
}

async function stateOf({ id }: BatchExportRow) {
  const [run] = await jobs.runs(id)
  return { status: run?.status, error: run?.latest_error ?? null, attempt: run?.attempt }
}

test(
  'destinations that do not respond occupy no worker: another run completes before their runs fail',
  { tags: ['slow'] },
  async () => {
    const hung = await Promise.all(Array.from({ length: 4 }, () => createHungRun('request')))
    const healthy = await createRun({ destination_config: { path: 'healthy' } })
    dispatch(1)
    await Promise.all(hung.map(({ store }) => store.hung))
    await expect.poll(async () => (await stateOf(healthy)).status, { timeout: 30_000 }).toBe('Completed')
    for (const { row } of hung)
      await expect
        .poll(() => stateOf(row), { timeout: 60_000 })
        .toMatchObject({
          status: 'FailedRetryable',
          error: expect.stringContaining('did not respond within 10 seconds'),
        })
  },
)

const completes =
  'a run beside four buckets of the same endpoint that hang at the %s completes with %i workers'

test.for<[HangsAt, number]>([
  ['request', 2],
  ['upload', defaultWorkers()],
])(completes, expectCompletion)

test.for<[HangsAt, number]>([['upload', 2]])(completes, { tags: ['slow'] }, expectCompletion)

async function expectCompletion([hangsAt, workers]: [HangsAt, number]) {
  const healthy = await startTestStore()
  const store = await startHungStore(hangsAt, { endpoint: healthy.endpoint, buckets: ['exports'] })
  onTestFinished(async () => {
    store.close()
    await healthy.stop()
  })
  for (const bucket of ['hung-1', 'hung-2', 'hung-3', 'hung-4'])
    await createRun(unreachableDestination(jobs, store.endpoint, bucket))
  dispatch(workers)
  await store.hung
  const row = await createRun(unreachableDestination(jobs, store.endpoint))
  await expect.poll(async () => (await stateOf(row)).status, { timeout: 30_000 }).toBe('Completed')
}

test('a run that waits for its destination occupies no worker', { tags: ['slow'] }, async () => {
  const { store, row } = await createHungRun('upload')
  dispatch(1)
  await store.hung
  const healthy = await createRun({ destination_config: { path: 'healthy' } })
  await expect.poll(async () => (await stateOf(healthy)).status, { timeout: 30_000 }).toBe('Completed')
  await expect
    .poll(() => stateOf(row), { timeout: 60_000 })
    .toMatchObject({ error: expect.stringMatching(/^Nothing was read, written or sent|did not respond/) })
})

test(
  'a run without rows completes although its destination does not respond',
  { tags: ['slow'] },
  async () => {
    const store = await startHungStore('request')
    onTestFinished(() => store.close())
    const row = await createRun({
      ...unreachableDestination(jobs, store.endpoint),
      hogql_query: "SELECT uuid FROM events WHERE event = 'none'",
    })
    dispatch(1)
    await expect.poll(async () => (await stateOf(row)).status, { timeout: 60_000 }).toBe('Completed')
  },
)
