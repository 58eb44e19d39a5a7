import { afterAll, beforeAll, expect, test } from 'vitest'
import { Overview } from '../../contract/exports/overview.ts'
import type { BatchExport } from '../../contract/exports/batch-export.ts'
import { createExport, insertBackfill, insertRun } from '../testing/test-rows.ts'
import { bodyOf, createTestService, type TestService } from '../testing/test-service.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { finishRun } from './finish-run.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const exportsPath = '/api/projects/@current/batch_exports/'

test('ten failed scheduled runs pause an export, which shows the reason until it is unpaused', async () => {
  const made = await createExport(service)
  service.clock.advance(1000)
  for (let number = 0; number < 9; number += 1) await fail(made, { origin: 'schedule', ...hourly(number) })
  expect(await shown(made)).toMatchObject({ paused: false, paused_because: null })
  await fail(made, { origin: 'schedule', ...hourly(9) })
  const because = '10 of its last 10 scheduled runs failed.'
  expect(await shown(made)).toMatchObject({ paused: true, paused_because: because })
  expect(await overviewOf(made)).toMatchObject({ state: 'auto-paused', paused_because: because })
  expect(await logOf(made)).toContain(`Paused automatically: ${because}`)

  await service.request('POST', `${exportsPath}${made.id}/pause/`, { body: {} })
  expect(await shown(made)).toMatchObject({ paused_because: because })
  await service.request('POST', `${exportsPath}${made.id}/unpause/`, { body: {} })
  expect(await shown(made)).toMatchObject({ paused: false, paused_because: null })
  await service.request('POST', `${exportsPath}${made.id}/pause/`, { body: {} })
  expect(await overviewOf(made)).toMatchObject({ state: 'paused', paused_because: null })
})

test('failed retries and backfills never pause an export, even with nine failed scheduled runs', async () => {
  const made = await createExport(service)
  service.clock.advance(1000)
  for (let number = 0; number < 9; number += 1) await fail(made, { origin: 'schedule', ...hourly(number) })
  for (const origin of ['retry', 'backfill'] as const)
    for (let number = 0; number < 12; number += 1) await fail(made, { origin })
  expect(await shown(made)).toMatchObject({ paused: false, paused_because: null })
  // They do not count either after a user has cleared `last_paused_at`, which makes older failures count again.
  await service.request('PATCH', `${exportsPath}${made.id}/`, { body: { last_paused_at: null } })
  await fail(made, { origin: 'retry' })
  expect(await shown(made)).toMatchObject({ paused: false })
  await fail(made, { origin: 'schedule', ...hourly(9) })
  expect(await shown(made)).toMatchObject({ paused: true })
})

test('a backfill stops after ten consecutive failures: its waiting runs are cancelled and it ends as failed', async () => {
  const made = await createExport(service)
  const { id } = await insertBackfill(service, made, { status: 'Running', finished_at: null })
  const inBackfill = { origin: 'backfill', backfill_id: id } as const
  await insertRun(service, made, { ...inBackfill, status: 'Completed', finished_at: now() })
  const waiting = await insertRun(service, made, { ...inBackfill, status: 'Starting' })
  const between = await insertRun(service, made, { ...inBackfill, status: 'FailedRetryable' })
  for (let number = 0; number < 9; number += 1) await fail(made, inBackfill)
  expect(await statusOf(waiting)).toBe('Starting')
  await fail(made, inBackfill)
  expect([await statusOf(waiting), await statusOf(between)]).toEqual(['Cancelled', 'Cancelled'])
  const backfill = await service.request('GET', `${exportsPath}${made.id}/backfills/${id}/`)
  expect(backfill.body).toMatchObject({ status: 'Failed' })
  expect(await logOf(made)).toContain('Backfill stopped: its last 10 runs failed. 2 others were cancelled.')
  expect(await shown(made)).toMatchObject({ paused: false })
})

function now() {
  return new Date(service.clock.now())
}

/** The window a number of hours ago. */
function hourly(number: number) {
  const start = Date.parse('2026-03-01T00:00:00Z') - number * 3_600_000
  return { data_interval_start: new Date(start), data_interval_end: new Date(start + 3_600_000) }
}

/** Inserts a run and fails it, one second after the previous run. */
async function fail(batchExport: BatchExport, values: Partial<RunRow>): Promise<void> {
  service.clock.advance(1000)
  const run = await insertRun(service, batchExport, { status: 'Running', worker_id: 'someone', ...values })
  await service.services.store
    .transaction()
    .execute((transaction) => finishRun(service.services, transaction, run, { status: 'Failed' }))
}

async function shown({ id }: BatchExport) {
  return (await service.request('GET', `${exportsPath}${id}/`)).body
}

async function overviewOf({ id }: BatchExport) {
  const response = await service.request('GET', `${exportsPath}overview/`)
  return bodyOf(Overview, response).results.find((row) => row.id === id)
}

async function logOf({ id }: BatchExport): Promise<string> {
  return (await service.request('GET', `${exportsPath}${id}/logs/`)).text
}

async function statusOf({ id }: RunRow): Promise<string> {
  const { store } = service.services
  const runs = store.selectFrom('batch_export_runs').select('status').where('id', '=', id)
  return (await runs.executeTakeFirstOrThrow()).status
}
