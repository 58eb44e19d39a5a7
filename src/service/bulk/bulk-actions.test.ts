import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { endpoints } from '../../contract/endpoints.ts'
import { findRow } from '../store/schema/rows.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { createExport, insertRun } from '../testing/test-rows.ts'
import { bodyOf, problemOf } from '../testing/test-service.ts'
import { continueBulkAction } from './run-bulk-actions.ts'
import {
  createExports,
  details,
  exports,
  finish,
  ids,
  openBulkActions,
  path,
  runsOf,
  service,
  start,
  stateOf,
  undo,
} from '../testing/exports/test-bulk-actions.ts'

beforeAll(openBulkActions)
afterAll(() => service.stop())
beforeEach(createExports)

test('POST /api/projects/:project_id/bulk_actions/ returns 201 at once; the action is performed in the background with progress and reasons', async () => {
  const [first, second] = exports
  await service.request('POST', `/api/projects/@current/batch_exports/${first?.id}/pause/`, { body: {} })
  const elsewhere = await createExport(service, {}, `/api/projects/${service.secondProjectId}/batch_exports/`)
  const body = { action: 'pause_batch_exports', ids: [...ids(), first?.id, elsewhere.id, 'unknown'] }
  const created = await start(body)
  expect(created).toMatchObject({ status: 'Running', total: 5, done: 0, failed: 2, by: 'Own key' })
  await service.request('DELETE', `/api/projects/@current/batch_exports/${second?.id}/`)
  await finish()
  const finished = await details(created.id)
  expect(finished).toMatchObject({ status: 'Completed', total: 5, done: 2, unchanged: 1, failed: 3 })
  expect(finished.failures).toEqual(
    expect.arrayContaining([
      { id: second?.id, name: 'b', reason: 'This batch export has been deleted.' },
      { id: elsewhere.id, name: 'Unknown export', reason: expect.stringContaining('Not found') as unknown },
    ]),
  )
  expect((await stateOf(exports)).rows.map(({ paused }) => paused)).toEqual([true, false, true])
  expect((await stateOf([elsewhere])).rows.map(({ paused }) => paused)).toEqual([false])
})

test('GET /api/projects/:project_id/bulk_actions/ returns 200 with the actions that the key may read, newest first', async () => {
  const one = await start({ action: 'pause_batch_exports', ids: ids() })
  service.clock.advance(1)
  const two = await start({ action: 'keep_recordings', filter: {} })
  const listed = async (key?: string) => {
    const response = await service.request('GET', path, key === undefined ? {} : { key })
    return bodyOf(endpoints.listBulkActions.response, response).results.map(({ id }) => id)
  }
  expect((await listed()).slice(0, 2)).toEqual([two.id, one.id])
  const key = await service.newKey({ scopes: ['session_recording:read'] })
  expect(await listed(key)).toEqual([two.id])
})

test('GET /api/projects/:project_id/bulk_actions/:id/ returns 200 to keys with the scope of the action', async () => {
  const one = await start({ action: 'pause_batch_exports', ids: ids() })
  const two = await start({ action: 'keep_recordings', filter: {} })
  const key = await service.newKey({ scopes: ['session_recording:read'] })
  expect((await service.request('GET', `${path}${two.id}/`, { key })).status).toBe(200)
  const refused = await service.request('GET', `${path}${one.id}/`, { key })
  expect([refused.status, problemOf(refused).detail]).toEqual([
    403,
    "API key missing required scope 'batch_export:read'",
  ])
  for (const verb of ['cancel', 'undo'])
    expect((await service.request('POST', `${path}${two.id}/${verb}/`, { key, body: {} })).status).toBe(403)
})

test('an action requires its own scope', async () => {
  const key = await service.newKey({ scopes: ['session_recording:write', 'batch_export:read'] })
  const response = await service.request('POST', path, { key, body: { action: 'cancel_runs', ids: ['a'] } })
  expect([response.status, problemOf(response).detail]).toEqual([
    403,
    "API key missing required scope 'batch_export:write'",
  ])
  await start({ action: 'mark_recordings_viewed', ids: ['a'] }, key)
})

test.each([
  ['no action', {}, 'Name an action: pause_batch_exports'],
  ['an unknown action', { action: 'explode', ids: ['a'] }, 'Name an action: pause_batch_exports'],
  ['no objects', { action: 'pause_batch_exports' }, 'Send either ids or a filter.'],
  [
    'ids and a filter',
    { action: 'pause_batch_exports', ids: ['a'], filter: {} },
    'Send either ids or a filter.',
  ],
  ['an empty list', { action: 'pause_batch_exports', ids: [] }, 'This list may not be empty.'],
  ['too many ids', { action: 'pause_batch_exports', ids: Array(10_001).fill('a') }, 'Send at most 10000 ids'],
  [
    'an unknown filter',
    { action: 'pause_batch_exports', filter: { name: 'a' } },
    '"name" is not recognised.',
  ],
  [
    'a filter that the list rejects',
    {
      action: 'delete_recordings',
      filter: { properties: '[{"key":"nothing","value":1,"type":"recording"}]' },
    },
    'A recording has no property "nothing"',
  ],
  [
    'runs of any export',
    { action: 'cancel_runs', filter: {} },
    "'batch_export', 'cause', or 'paused' with 'after' is required",
  ],
  [
    'an unknown export',
    { action: 'cancel_runs', filter: { batch_export: '01900000-0000-7000-8000-000000000000' } },
    'object does not exist',
  ],
  [
    'windows of runs of any export',
    { action: 'export_windows', filter: {} },
    "'batch_export', 'cause', or 'paused' with 'after' is required.",
  ],
  [
    'windows of runs filtered like exports',
    { action: 'export_windows', filter: { paused: true } },
    "'paused' requires 'windows', 'cause' or 'after'.",
  ],
  [
    'windows of exports filtered like runs',
    { action: 'export_windows', filter: { cause: 'disk||x' }, windows: 'failed' },
    "With 'windows', filter only by 'paused'.",
  ],
  ['unknown windows', { action: 'export_windows', ids: ['a'], windows: 'all' }, 'Send "failed"'],
  ['a backfill without ranges', { action: 'export_windows', ids: ['a'], windows: [] }, 'may not be empty'],
  [
    'a backfill without a period',
    { action: 'export_windows', ids: ['a'], windows: [{}] },
    'Send "failed", "skipped", or up to 5000 ranges',
  ],
])('%s is a 400', async (_, body, detail) => {
  const response = await service.request('POST', path, { body })
  expect([response.status, problemOf(response).detail]).toEqual([400, expect.stringContaining(detail)])
})

test('two workers share an action without processing any object twice, and continue it after a crash', async () => {
  const many = []
  for (let index = 0; index < 25; index += 1) many.push(await createExport(service, { name: `${index}` }))
  const created = await start({ action: 'pause_batch_exports', ids: many.map(({ id }) => id) })
  // The first worker dies after a batch that it has not committed.
  const { store } = service.services
  const crash = store.transaction().execute(async (transaction) => {
    expect(await continueBulkAction({ ...service.services, store: transaction })).toBe(true)
    // Meanwhile, another worker skips the locked action.
    expect(await continueBulkAction(service.services)).toBe(false)
    throw new Error('kill -9')
  })
  await expect(crash).rejects.toThrow('kill -9')
  expect((await details(created.id)).done).toBe(0)
  await Promise.all([finish(), finish()])
  expect(await details(created.id)).toMatchObject({ status: 'Completed', total: 25, done: 25, failed: 0 })
  const changes = await store
    .selectFrom('batch_export_changes')
    .select('batch_export_id')
    .where('kind', '=', 'paused')
    .where(
      'batch_export_id',
      'in',
      many.map(({ id }) => id),
    )
    .execute()
  expect(new Set(changes.map((change) => change.batch_export_id)).size).toBe(25)
  expect(changes).toHaveLength(25)
})

test('an action that keeps failing neither delays others nor runs for ever', async () => {
  const [poisoned, healthy] = exports
  const { store } = service.services
  await sql`CREATE FUNCTION deadlock() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$`.execute(store)
  await sql`CREATE TRIGGER deadlock BEFORE UPDATE ON batch_exports FOR EACH ROW WHEN (OLD.note = 'poisoned')
    EXECUTE FUNCTION deadlock()`.execute(store)
  const poison = store.updateTable('batch_exports').where('id', '=', poisoned?.id ?? '')
  await poison.set({ note: 'poisoned' }).execute()
  const failed = await start({ action: 'pause_batch_exports', ids: [poisoned?.id] })
  service.clock.advance(1)
  const other = await start({ action: 'pause_batch_exports', ids: [healthy?.id] })
  const failing = new Map()
  const attempts = []
  while ((await details(failed.id)).status === 'Running') {
    while (await continueBulkAction(service.services, failing));
    attempts.push((await details(other.id)).status)
    service.clock.advance(60_000)
  }
  await sql`DROP FUNCTION deadlock CASCADE`.execute(store)
  expect(attempts).toEqual(Array(9).fill('Completed'))
  const { failures, ...rest } = await details(failed.id)
  expect(rest).toMatchObject({ status: 'Completed', done: 0, failed: 1 })
  expect(failures).toEqual([{ id: poisoned?.id, name: 'a', reason: 'Gave up after 8 server errors.' }])
})

test('an action waits until a full disk has space again', async () => {
  const { store } = service.services
  await sql`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`.execute(store)
  await sql`CREATE TRIGGER full_disk BEFORE UPDATE ON batch_exports EXECUTE FUNCTION full_disk()`.execute(
    store,
  )
  const { id } = await start({ action: 'pause_batch_exports', ids: [exports[0]?.id] })
  const failing = new Map()
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await expect(continueBulkAction(service.services, failing)).rejects.toThrow('could not extend file')
    service.clock.advance(60_000)
  }
  await sql`DROP FUNCTION full_disk CASCADE`.execute(store)
  while (await continueBulkAction(service.services, failing));
  expect(await details(id)).toMatchObject({ status: 'Completed', done: 1, failed: 0 })
})

test('POST /api/projects/:project_id/bulk_actions/:id/cancel/ returns 200 and leaves the other objects unchanged', async () => {
  const many = []
  for (let index = 0; index < 15; index += 1) many.push(await createExport(service, { name: `${index}` }))
  const { id } = await start({ action: 'pause_batch_exports', ids: many.map((row) => row.id) })
  await continueBulkAction(service.services)
  const response = await service.request('POST', `${path}${id}/cancel/`, { body: {} })
  expect([response.status, response.body]).toEqual([
    200,
    expect.objectContaining({ status: 'Cancelled', total: 15, done: 10 }),
  ])
  await finish()
  expect((await stateOf(many)).rows.filter(({ paused }) => paused)).toHaveLength(10)
  const again = await service.request('POST', `${path}${id}/cancel/`, { body: {} })
  expect([again.status, problemOf(again).detail]).toEqual([
    409,
    "Cannot cancel a bulk action that is in 'Cancelled' status",
  ])
  expect(await undo(id)).toMatchObject({ status: 'Undone', undone: 10 })
  expect((await stateOf(many)).rows.filter(({ paused }) => paused)).toHaveLength(0)
})

test('runs that match a filter are retried or cancelled beyond the first page; undoing a cancellation continues them', async () => {
  const [first, second] = exports
  if (!first || !second) throw new Error('no export')
  for (let index = 0; index < 120; index += 1) await insertRun(service, first, { status: 'Failed' })
  await insertRun(service, first)
  await insertRun(service, second, { status: 'Failed' })
  const filter = { batch_export: first.id, status: ['Failed', 'TimedOut'] }
  const retry = await start({ action: 'export_windows', filter })
  expect(retry.total).toBe(120)
  await finish()
  expect(await details(retry.id)).toMatchObject({ done: 120, failed: 0 })
  const cancel = await start({ action: 'cancel_runs', filter: { batch_export: first.id } })
  expect(cancel.total).toBe(120)
  await finish()
  const countOf = async (status: string) =>
    (await runsOf(first)).filter((run) => run.status === status).length
  expect([await countOf('Cancelled'), await countOf('Starting')]).toEqual([120, 0])
  service.clock.advance(1000)
  expect(await undo(cancel.id)).toMatchObject({ undone: 120 })
  expect([await countOf('Cancelled'), await countOf('Starting')]).toEqual([0, 120])
  expect(await undo(retry.id)).toMatchObject({ undone: 120 })
  expect([await countOf('Cancelled'), await countOf('Failed')]).toEqual([120, 120])
  expect(await runsOf(second)).toHaveLength(1)
})

test('runs that an action does not apply to fail with the reason', async () => {
  const [first] = exports
  if (!first) throw new Error('no export')
  const running = await insertRun(service, first, { status: 'Running' })
  const { id } = await start({ action: 'export_windows', ids: [running.id] })
  await finish()
  expect((await details(id)).failures).toEqual([
    {
      id: running.id,
      name: expect.stringMatching(/^a, 2026-03-04 \d\d:00 UTC$/) as unknown,
      reason: "Cannot retry a run that is in 'Running' status: cancel it or wait until it has finished.",
    },
  ])
})

test('the statements of stopped runs are ended only after the change is committed', async () => {
  const runs: RunRow[] = []
  for (const batchExport of exports)
    runs.push(await insertRun(service, batchExport, { status: 'Running', attempt: 1, worker_id: 'worker' }))
  const [first = '', second = '', third = ''] = runs.map(({ id }) => id)
  const { store, warehouse } = service.services
  const atKill = new Map<string, string>()
  const killing = vi.spyOn(warehouse, 'kill').mockImplementation(async (mark) => {
    const run = runs.find(({ id }) => mark.includes(id))
    const row = run && (await findRow(store, 'batch_export_runs', { id: run.id }))
    if (row) atKill.set(row.id, row.status)
  })
  onTestFinished(() => killing.mockRestore())
  await start({ action: 'cancel_runs', ids: [first] })
  await start({ action: 'delete_batch_exports', ids: [exports[2]?.id] })
  await finish()
  const cancel = `/api/projects/@current/batch_exports/${exports[1]?.id}/runs/${second}/cancel/`
  expect(await service.request('POST', cancel, { body: {} })).toMatchObject({ status: 200 })
  const expected = { [first]: 'Cancelled', [second]: 'Cancelled', [third]: 'Terminated' }
  await vi.waitFor(() => expect(Object.fromEntries(atKill)).toEqual(expected))
})
