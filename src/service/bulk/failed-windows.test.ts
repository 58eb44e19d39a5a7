import { continueBulkAction } from './run-bulk-actions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../contract/endpoints.ts'
import type { BatchExport } from '../../contract/exports/batch-export.ts'
import { createExport, insertRun } from '../testing/test-rows.ts'
import { bodyOf } from '../testing/test-service.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { details, finish, openBulkActions, service, start } from '../testing/exports/test-bulk-actions.ts'

beforeAll(openBulkActions)
afterAll(() => service.stop())

const hour = (number: number) => new Date(Date.UTC(2026, 2, 3, number))

async function put(made: BatchExport, start: number, status: RunRow['status'], values: Partial<RunRow> = {}) {
  service.clock.advance(1000)
  const window = { data_interval_start: hour(start), data_interval_end: hour(start + 1) }
  return insertRun(service, made, { status, ...window, ...values })
}

function startRetry({ id }: BatchExport) {
  return start({ action: 'export_windows', ids: [id], windows: 'failed' })
}

/** Retries the failed windows of an export; resolves to the finished action and the number of new runs. */
async function retryFailed(made: BatchExport) {
  const before = await newRuns(made)
  const { id } = await startRetry(made)
  await finish()
  const action = await details(id)
  return { action, retried: (await newRuns(made)).length - before.length }
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

test('each failed window of an export runs once, and selects rows as the failed run did', async () => {
  const made = await createExport(service)
  await put(made, 0, 'Failed')
  await put(made, 0, 'Failed')
  await put(made, 2, 'TimedOut', { selects_by: 'time' })
  await put(made, 3, 'Failed', { selects_by: 'time' })
  await put(made, 3, 'Failed', { selects_by: 'arrival' })
  await put(made, 3, 'Cancelled')
  expect((await retryFailed(made)).action).toMatchObject({ windows: 'failed', done: 1, unchanged: 0 })
  const url = `/api/projects/@current/batch_exports/${made.id}/backfills/`
  const { results } = bodyOf(endpoints.listBackfills.response, await service.request('GET', url))
  expect(results).toMatchObject([
    { progress: { total_runs: 3, finished_runs: 0 }, status: 'Starting', end_at: '2026-03-03T04:00:00Z' },
  ])
  const run = (start: number, selects_by: string) => ({
    data_interval_start: hour(start),
    data_interval_end: hour(start + 1),
    selects_by,
    origin: 'retry',
    backfill_id: results[0]?.id,
    status: 'Starting',
  })
  expect(await newRuns(made)).toEqual([run(0, 'arrival'), run(2, 'time'), run(3, 'arrival')])
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
  expect((await retryFailed(made)).action).toMatchObject({ done: 1, unchanged: 1, failed: 0 })
  expect(await newRuns(made)).toEqual([])
})

test('two simultaneous actions run each failed window once', async () => {
  const made = await createExport(service)
  for (const start of [0, 1, 2]) await put(made, start, 'Failed')
  await Promise.all([startRetry(made), startRetry(made)])
  await Promise.all([continueBulkAction(service.services), continueBulkAction(service.services)])
  await finish()
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
