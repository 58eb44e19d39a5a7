import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { sentOnly } from '../../contract/runs/ledger.ts'
import { keyOf, receivedOnce, receiver, webhookDestination } from '../testing/exports/test-webhooks.ts'
import { findRows } from '../store/schema/rows.ts'
import {
  changeRun,
  createRun,
  current,
  jobs,
  openTestRuns,
  openTestWorker,
  worker,
} from '../testing/test-runs.ts'
import { createRetry } from './retry.ts'
import { openWorker } from './worker.ts'

beforeAll(openTestRuns)
beforeEach(openTestWorker)
afterEach(() => worker.stop())
afterAll(() => jobs.cleanup())

const numberOf = (key: string) => Number(key.split(':').at(-2))

test('a run whose process is killed goes on after the last acknowledged batch; its retry begins again', async () => {
  const { origin, received, state } = await receiver()
  state.answer = (response) => {
    // The answer to the second batch never arrives.
    if (received.length !== 2) response.end()
  }
  const { row, run } = await createRun(webhookDestination(jobs.services, origin, { batch_size: 1 }))
  const killed = worker.work(run.id)
  await expect.poll(() => received.length, { timeout: 20_000 }).toBe(2)
  expect((await current(run)).sent_position).toMatchObject({ batches: 1, rows: 1 })
  await changeRun(run, { heartbeat_at: new Date(0) })
  const next = openWorker(jobs.services)
  onTestFinished(() => next.stop())
  await next.work(run.id)
  await worker.stop()
  await killed
  expect(await current(run)).toMatchObject({ status: 'Completed', attempt: 2, records_completed: 2 })
  expect(received.map((message) => numberOf(keyOf(message)))).toEqual([0, 1, 1])
  expect(new Set(receivedOnce(received)).size).toBe(2)
  const [entry] = await findRows(jobs.services.store, 'batch_export_ledger', { batch_export_id: row.id })
  expect(entry).toMatchObject({ rows_written: 2, rows_expected: 2, problem: sentOnly })
  expect((await jobs.logs(row.id)).join('\n')).toContain(`Completed: wrote to ${origin} (2 records`)

  const retry = await createRetry(jobs.services, row, await current(run))
  received.length = 0
  state.answer = (response) => void response.end()
  await next.work(retry.run.id)
  expect(received.map((message) => numberOf(keyOf(message)))).toEqual([0, 1])
})

test('an attempt ends when its receiver does not answer, and holds up no other run meanwhile', async () => {
  const { origin, received, state } = await receiver()
  state.answer = () => undefined
  const { run } = await createRun(webhookDestination(jobs.services, origin))
  const onWaiting = vi.fn()
  const working = worker.work(run.id, { onWaiting })
  await expect.poll(() => received.length, { timeout: 20_000 }).toBe(1)
  const step = () => {
    jobs.clock.time += 500
    return onWaiting.mock.calls
  }
  await expect.poll(step, { interval: 500, timeout: 60_000 }).toEqual([[true]])
  expect((await current(run)).status).toBe('Running')
  jobs.clock.time += 75_000
  await working
  expect(await current(run)).toMatchObject({
    status: 'FailedRetryable',
    attempt: 1,
    latest_error: expect.stringContaining(`sent to ${origin} for 75 seconds`),
  })
  expect(onWaiting.mock.calls).toEqual([[true], [false]])
})
