import { afterAll, beforeAll, expect, test } from 'vitest'
import { Backfill, RetriedRuns } from '../../../contract/runs/batch-export-run.ts'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { createExport, insertRun } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, type TestService } from '../../testing/test-service.ts'
import type { RunRow } from '../../store/runs/runs-list.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const hour = (number: number) => new Date(Date.UTC(2026, 2, 3, number))

async function put(made: BatchExport, start: number, status: RunRow['status'], values: Partial<RunRow> = {}) {
  service.clock.advance(1000)
  const window = { data_interval_start: hour(start), data_interval_end: hour(start + 1) }
  return insertRun(service, made, { status, ...window, ...values })
}

async function retryFailed({ id }: BatchExport) {
  const response = await service.request('POST', `/api/projects/@current/batch_exports/${id}/retry_failed/`)
  expect(response.status, response.text).toBe(200)
  return bodyOf(RetriedRuns, response)
}

function newRuns({ id }: BatchExport) {
  return service.services.store
    .selectFrom('batch_export_runs')
    .select(['data_interval_start', 'data_interval_end', 'selects_by', 'origin', 'backfill_id', 'status'])
    .where('batch_export_id', '=', id)
    .where('backfill_id', 'is not', null)
    .orderBy('data_interval_start')
    .execute()
}

test('POST /api/projects/:project_id/batch_exports/:id/retry_failed/ returns 200 and runs each failed window once, selecting rows as the failed run did', async () => {
  const made = await createExport(service)
  await put(made, 0, 'Failed')
  await put(made, 0, 'Failed')
  await put(made, 2, 'TimedOut', { selects_by: 'time' })
  await put(made, 3, 'Failed', { selects_by: 'time' })
  await put(made, 3, 'Failed', { selects_by: 'arrival' })
  await put(made, 3, 'Cancelled')
  const { retried, backfill, backfill_id } = await retryFailed(made)
  expect(retried).toBe(3)
  expect(backfill_id).toBe(`${made.id}-Backfill-2026-03-03T00:00:00+00:00-2026-03-03T04:00:00+00:00`)
  const run = (start: number, selects_by: string) => ({
    data_interval_start: hour(start),
    data_interval_end: hour(start + 1),
    selects_by,
    origin: 'retry',
    backfill_id: backfill,
    status: 'Starting',
  })
  expect(await newRuns(made)).toEqual([run(0, 'arrival'), run(2, 'time'), run(3, 'arrival')])
  const path = `/api/projects/@current/batch_exports/${made.id}/backfills/${backfill}/`
  expect(bodyOf(Backfill, await service.request('GET', path))).toMatchObject({
    progress: { total_runs: 3, finished_runs: 0 },
    status: 'Starting',
  })
})

test('skips windows that a run has exported, is exporting or will export', async () => {
  const made = await createExport(service)
  for (const [start, status] of [
    [0, 'Completed'],
    [1, 'Running'],
    [2, 'Starting'],
    [3, 'FailedRetryable'],
  ] as const) {
    await put(made, start, 'Failed')
    await put(made, start, status)
  }
  await put(made, 5, 'Failed')
  await put(made, 0, 'Completed', { data_interval_start: hour(4), data_interval_end: hour(8) })
  await put(made, 9, 'Cancelled')
  expect(await retryFailed(made)).toEqual({ retried: 0, backfill_id: null, backfill: null })
  expect(await newRuns(made)).toEqual([])
})

test('two simultaneous requests run each failed window once', async () => {
  const made = await createExport(service)
  for (const start of [0, 1, 2]) await put(made, start, 'Failed')
  const responses = await Promise.all([retryFailed(made), retryFailed(made)])
  expect(responses.map(({ retried }) => retried)).toEqual(expect.arrayContaining([0, 3]))
  expect(await newRuns(made)).toHaveLength(3)
})

test('retries all failed windows, even more than a page of runs', async () => {
  const made = await createExport(service, { interval: 'every 5 minutes' })
  const { store } = service.services
  const start = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 300_000)
  const run = await put(made, 0, 'Failed')
  const rows = Array.from({ length: 2500 }, (_, index) => ({
    ...run,
    id: crypto.randomUUID(),
    data_interval_start: start(index),
    data_interval_end: start(index + 1),
  }))
  for (let from = 0; from < rows.length; from += 500)
    await store
      .insertInto('batch_export_runs')
      .values(rows.slice(from, from + 500))
      .execute()
  expect((await retryFailed(made)).retried).toBe(2501)
  expect((await retryFailed(made)).retried).toBe(0)
})
