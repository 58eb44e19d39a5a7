import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { BulkAction } from '../../../contract/bulk-action.ts'
import { failureExportsMax, FailureCauses } from '../../../contract/runs/failure-cause.ts'
import { continueBulkAction } from '../../bulk/run-bulk-actions.ts'
import { finishRun } from '../../runs/finish-run.ts'
import type { RunRow } from '../../store/runs/runs-list.ts'
import { createExport, insertRun, ownPrefix } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
const hour = 3_600_000
const denied =
  'Writing to the bucket "reports" was denied: allow these credentials to put objects there. (AccessDenied 403)'
const full = 'The disk is full: free some space. (ENOSPC)'

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(() => service.clock.advance(30 * 24 * hour))

const causesOf = async (search = '') =>
  bodyOf(
    FailureCauses,
    await service.request('GET', `/api/projects/@current/batch_exports/failure_causes/${search}`),
  )

/** Inserts a run of the window a number of hours ago and ends it, after `meanwhile`, with this error or as completed. */
async function end(
  batchExport: BatchExport,
  hoursAgo: number,
  error: string | null,
  meanwhile?: () => Promise<unknown>,
): Promise<RunRow> {
  service.clock.advance(1000)
  const start = Math.floor(service.clock.now() / hour) * hour - hoursAgo * hour
  const run = await insertRun(service, batchExport, {
    status: 'Running',
    origin: 'backfill',
    worker_id: service.own.organization_id,
    started_at: new Date(service.clock.now()),
    data_interval_start: new Date(start),
    data_interval_end: new Date(start + hour),
  })
  await meanwhile?.()
  const status = error === null ? 'Completed' : 'Failed'
  await service.services.store
    .transaction()
    .execute((transaction) => finishRun(service.services, transaction, run, { status, latest_error: error }))
  return run
}

test('GET /api/projects/:project_id/batch_exports/failure_causes/ returns 200 with failures by cause, those to repair first', async () => {
  const [one, two] = [
    await createExport(service, { name: 'One', destination: ownPrefix() }),
    await createExport(service, { name: 'Two', destination: ownPrefix() }),
  ]
  const folder = await createExport(service, { name: 'Folder' })
  await end(one, 3, denied)
  await end(one, 2, denied)
  await end(two, 2, denied)
  await end(two, 2, full)
  await end(folder, 4, full)
  await end(folder, 4, null)
  const newest = await end(two, 1, denied)
  await end(two, 2, null)
  const { results, ...totals } = await causesOf()
  expect(totals).toMatchObject({ failures: 6, windows: 5, windows_left: 3, causes_count: 2 })
  expect(results).toEqual([
    {
      state: 'open',
      ignored_until: null,
      assignee: null,
      assigned: null,
      changed: null,
      key: expect.stringContaining('permission|s3://reports|'),
      class: 'permission',
      title: 'Writing to the bucket "reports" was denied.',
      advice: expect.stringContaining('Allow the credentials'),
      destination: 's3://reports',
      failures: 4,
      windows: 3,
      windows_left: 3,
      first_seen: expect.any(String),
      last_seen: expect.any(String),
      first_window: expect.any(String),
      message: denied,
      run: newest.id,
      exports: [
        {
          id: one.id,
          name: 'One',
          interval: 'hour',
          paused: false,
          failures: 2,
          windows_left: 2,
          needs_fix: true,
        },
        {
          id: two.id,
          name: 'Two',
          interval: 'hour',
          paused: false,
          failures: 2,
          windows_left: 1,
          needs_fix: false,
        },
      ],
      exports_count: 2,
      exports_running: 2,
    },
    expect.objectContaining({ class: 'disk', destination: null, failures: 2, windows_left: 0 }),
  ])
  expect(results[0]?.first_seen.localeCompare(results[0].last_seen)).toBe(-1)
  const hoursAgo = Math.floor(service.clock.now() / hour) - Date.parse(results[0]?.first_window ?? '') / hour
  expect(hoursAgo).toBe(3)
  expect((await causesOf(`?batch_export=${folder.id}`)).results).toMatchObject([
    { class: 'disk', failures: 1 },
  ])
})

test('a window is exported again by a longer run, and not by a run in another export', async () => {
  const daily = await createExport(service)
  await end(daily, 5, full)
  expect(await causesOf()).toMatchObject({ windows_left: 1 })
  const start = Math.floor(service.clock.now() / (24 * hour)) * 24 * hour - 24 * hour
  const day = { data_interval_start: new Date(start), data_interval_end: new Date(start + 48 * hour) }
  await insertRun(service, await createExport(service), day)
  expect(await causesOf()).toMatchObject({ windows_left: 1 })
  await insertRun(service, daily, day)
  expect(await causesOf()).toMatchObject({ failures: 1, windows_left: 0 })
})

test('a destination needs a fix until it is changed or a run completes, whatever else is changed', async () => {
  const batchExport = await createExport(service, { destination: ownPrefix() })
  const path = `/api/projects/@current/batch_exports/${batchExport.id}/`
  const changed = async (method: string, end: string, body: object) => {
    service.clock.advance(1000)
    expect(await service.request(method, path + end, { body })).toMatchObject({ status: 200 })
    const { results } = await causesOf(`?batch_export=${batchExport.id}`)
    return results[0]?.exports[0]?.needs_fix
  }
  const elsewhere = { config: { prefix: `elsewhere-${batchExport.id}/` } }
  await end(batchExport, 2, denied)
  expect(await changed('POST', 'pause/', {})).toBe(true)
  expect(await changed('POST', 'unpause/', {})).toBe(true)
  expect(await changed('PATCH', '', { name: 'Renamed' })).toBe(true)
  expect(await changed('PATCH', '', { destination: { type: 'S3', ...elsewhere } })).toBe(false)
  expect(await changed('POST', 'pause/', {})).toBe(false)
  await end(batchExport, 1, denied)
  expect(await changed('PATCH', '', { note: 'Failed again' })).toBe(true)
  await end(batchExport, 3, null)
  expect(await changed('PATCH', '', { note: 'Works again' })).toBe(false)
  await end(batchExport, 4, denied, () => changed('PATCH', '', { destination: ownPrefix() }))
  expect(await changed('PATCH', '', { note: 'Changed while the run failed' })).toBe(false)
  await end(batchExport, 1, full)
  const { results } = await causesOf(`?batch_export=${batchExport.id}`)
  expect(results.map((one) => [one.class, one.exports[0]?.needs_fix])).toContainEqual(['disk', false])
})

test.each([
  ['?start=2026-03-02T00:00:00Z&end=2026-03-01T00:00:00Z', "'start' must be before 'end'."],
  ['?start=2020-03-02T00:00:00Z', 'The period has more than 92 days'],
  ['?start=yesterday', 'Datetime has wrong format'],
  ['?batch_export=mine', ''],
])('failures of the period %s: 400', async (search, detail) => {
  const response = await service.request(
    'GET',
    `/api/projects/@current/batch_exports/failure_causes/${search}`,
  )
  expect(response.status).toBe(400)
  expect(problemOf(response).detail).toContain(detail)
})

test('failures of other projects, deleted exports and earlier periods do not count', async () => {
  const deleted = await createExport(service)
  await end(deleted, 2, full)
  await service.request('DELETE', `/api/projects/@current/batch_exports/${deleted.id}/`)
  const second = await createExport(service, {}, `/api/projects/${service.secondProjectId}/batch_exports/`)
  await end(second, 2, full)
  await end(await createExport(service), 2, full)
  expect(await causesOf()).toMatchObject({ failures: 1 })
  service.clock.advance(7 * 24 * hour)
  expect(await causesOf()).toMatchObject({ failures: 0, results: [] })
  const start = new Date(service.clock.now() - 8 * 24 * hour).toISOString()
  expect(await causesOf(`?start=${start}`)).toMatchObject({ failures: 1 })
})

test('a bulk action retries the windows of one cause, and its undo cancels the new runs', async () => {
  const [one, two] = [await createExport(service), await createExport(service)]
  await end(one, 3, full)
  await end(one, 3, full)
  await end(two, 2, full)
  await end(two, 4, 'The export failed. (a bug)')
  const { results } = await causesOf()
  const { key: cause = '' } = results.find((one) => one.class === 'disk') ?? {}
  const bulk = '/api/projects/@current/bulk_actions/'
  const body = { action: 'export_windows', filter: { cause } }
  const started = bodyOf(BulkAction, await service.request('POST', bulk, { body }))
  expect(started).toMatchObject({ total: 2, failed: 0 })
  while (await continueBulkAction(service.services));
  expect((await causesOf()).results.map((one) => [one.class, one.windows_left])).toEqual([
    ['other', 1],
    ['disk', 0],
  ])
  await service.request('POST', `${bulk}${started.id}/undo/`, { body: {} })
  while (await continueBulkAction(service.services));
  expect(await causesOf()).toMatchObject({ windows_left: 3 })
})

test('a bulk action retries what failed since a time, whatever the cause, and leaves paused exports out', async () => {
  const [one, two, paused] = [
    await createExport(service),
    await createExport(service),
    await createExport(service, { paused: true }),
  ]
  await end(one, 5, full)
  service.clock.advance(hour)
  const after = new Date(service.clock.now()).toISOString()
  await end(one, 3, full)
  await end(two, 2, 'The export failed. (a bug)')
  await end(paused, 2, full)
  const body = { action: 'export_windows', filter: { after, paused: false } }
  const response = await service.request('POST', '/api/projects/@current/bulk_actions/', { body })
  expect(bodyOf(BulkAction, response)).toMatchObject({ total: 2, windows: 'of_runs' })
  while (await continueBulkAction(service.services));
  const left = async ({ id }: BatchExport) => (await causesOf(`?batch_export=${id}`)).windows_left
  expect([await left(one), await left(two), await left(paused)]).toEqual([1, 0, 1])
})

test('a bulk action pauses all exports with one cause, also those that the response does not list', async () => {
  const amount = failureExportsMax + 1
  for (let index = 0; index < amount; index++)
    await end(await createExport(service, { name: `Full ${index}` }), 1, full)
  await end(await createExport(service, { name: 'Other' }), 1, 'The export failed. (a bug)')
  const cause = (await causesOf()).results.find((one) => one.class === 'disk')
  expect(cause).toMatchObject({ exports_count: amount, exports_running: amount })
  expect(cause?.exports).toHaveLength(failureExportsMax)
  const body = { action: 'pause_batch_exports', filter: { cause: cause?.key, paused: false } }
  const started = await service.request('POST', '/api/projects/@current/bulk_actions/', { body })
  expect(bodyOf(BulkAction, started)).toMatchObject({ total: amount, failed: 0 })
  while (await continueBulkAction(service.services));
  const after = (await causesOf()).results
  expect(after.map((one) => [one.class, one.exports_running])).toEqual([
    ['other', 1],
    ['disk', 0],
  ])
})

test.each([
  [{ action: 'pause_batch_exports', filter: { after: '2026-03-01T00:00:00Z' } }, "only with 'cause'"],
  [{ action: 'export_windows', filter: {} }, "'batch_export', 'cause', or 'paused' with 'after' is required"],
  [{ action: 'cancel_runs', filter: { cause: 'disk||x' } }, 'retry them'],
  [
    { action: 'export_windows', filter: { cause: 'disk||x', status: ['Failed'] } },
    "A filter of failures allows only 'batch_export', 'cause', 'paused', 'after' and 'before'.",
  ],
])('POST of the bulk action %j: 400', async (body, detail) => {
  const response = await service.request('POST', '/api/projects/@current/bulk_actions/', { body })
  expect(response.status).toBe(400)
  expect(problemOf(response).detail).toContain(detail)
})
