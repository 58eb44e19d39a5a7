import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { startHungStore, type HangsAt } from '../testing/servers/hung-store.ts'
import {
  createRun,
  current,
  heavy,
  hour,
  jobs,
  openTestRuns,
  openTestWorker,
  unreachableDestination,
  worker,
} from '../testing/test-runs.ts'

beforeAll(openTestRuns)
beforeEach(openTestWorker)
afterEach(() => worker.stop())
afterAll(() => jobs.cleanup())

/** Starts a run that uploads its file in several parts to a store that hangs; resolves when the store hangs. */
async function startHungRun(hangsAt: HangsAt) {
  const store = await startHungStore(hangsAt)
  onTestFinished(() => store.close())
  const { run } = await createRun({
    ...unreachableDestination(jobs, store.endpoint),
    hogql_query: 'SELECT uuid FROM events',
    scheduled_until: new Date(heavy),
    end_at: new Date(heavy + hour),
  })
  const onWaiting = vi.fn()
  const working = worker.work(run.id, { onWaiting })
  await store.hung
  return { run, working, onWaiting }
}

const ends = 'an attempt ends when its store hangs at the %s for %i seconds, and is repeated'

test.for<[HangsAt, number, string]>([
  ['upload', 15, 'Nothing was read, written or sent to http://127.0.0.1:'],
])(ends, expectEnd)

test.for<[HangsAt, number, string]>([
  ['request', 15, 'Nothing was read, written or sent to http://127.0.0.1:'],
  ['completion', 60, 'has not completed the upload within 60 seconds'],
])(ends, { tags: ['slow'] }, expectEnd)

async function expectEnd([hangsAt, seconds, message]: [HangsAt, number, string]) {
  const { run, working, onWaiting } = await startHungRun(hangsAt)
  await expect
    .poll(
      () => {
        jobs.clock.time += 500
        return onWaiting.mock.calls
      },
      { interval: 500, timeout: 60_000 },
    )
    .toEqual([[true]])
  // The run has waited for 5 to 7 seconds.
  jobs.clock.time += (seconds - 8) * 1000
  const observe = vi.spyOn(jobs.services.warehouse, 'progress')
  onTestFinished(() => observe.mockRestore())
  await expect.poll(() => observe.mock.settledResults.length, { timeout: 60_000 }).toBeGreaterThan(1)
  expect((await current(run)).status).toBe('Running')
  jobs.clock.time += 4000
  await working
  expect(await current(run)).toMatchObject({
    status: 'FailedRetryable',
    attempt: 1,
    latest_error: expect.stringContaining(message),
  })
  expect(onWaiting.mock.calls).toEqual([[true], [false]])
}
