import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { z } from 'zod'
import type { BatchExport } from '../../contract/exports/batch-export.ts'
import { BulkAction, BulkActionDetails } from '../../contract/bulk-action.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { windowAt } from '../../contract/interval.ts'
import { tick } from '../background/scheduler.ts'
import { createExport, insertRun } from '../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../testing/test-service.ts'
import { continueBulkAction } from './run-bulk-actions.ts'

const path = '/api/projects/@current/bulk_actions/'
let service: TestService
let exports: BatchExport[]

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  await finish()
  service.clock.advance(60_000)
  exports = []
  for (const name of ['a', 'b', 'c']) exports.push(await createExport(service, { name }))
})

async function start(body: object, key?: string): Promise<z.output<typeof BulkAction>> {
  const response = await service.request('POST', path, { body, ...(key !== undefined && { key }) })
  expect(response.status, response.text).toBe(201)
  return bodyOf(BulkAction, response)
}

/** Completes all bulk actions. */
async function finish(): Promise<void> {
  while (await continueBulkAction(service.services));
}

async function details(id: string): Promise<z.output<typeof BulkActionDetails>> {
  const response = await service.request('GET', `${path}${id}/`)
  expect(response.status, response.text).toBe(200)
  return bodyOf(BulkActionDetails, response)
}

async function undo(id: string): Promise<z.output<typeof BulkActionDetails>> {
  const response = await service.request('POST', `${path}${id}/undo/`, { body: {} })
  expect(response.status, response.text).toBe(200)
  await finish()
  return await details(id)
}

const ids = () => exports.map(({ id }) => id)

/** The rows of the exports and of their pauses, without the time of the last change. */
async function stateOf(batchExports: readonly { id: string }[]) {
  const { store } = service.services
  const list = batchExports.map(({ id }) => id)
  const rows = await store
    .selectFrom('batch_exports')
    .selectAll()
    .where('id', 'in', list)
    .orderBy('id')
    .execute()
  const pauses = await store
    .selectFrom('batch_export_pauses')
    .select(['batch_export_id', 'started_at', 'ended_at'])
    .where('batch_export_id', 'in', list)
    .orderBy('batch_export_id')
    .orderBy('started_at')
    .execute()
  return { rows: rows.map((row) => ({ ...row, last_updated_at: null })), pauses }
}

async function runsOf({ id }: { id: string }) {
  const { store } = service.services
  const runs = store.selectFrom('batch_export_runs').selectAll().where('batch_export_id', '=', id)
  return await runs.orderBy('id').execute()
}

async function backfill({ id }: { id: string }) {
  const body = { start_at: '2026-03-01T00:00:00Z', end_at: '2026-03-01T03:00:00Z' }
  const url = `/api/projects/@current/batch_exports/${id}/backfill/`
  expect((await service.request('POST', url, { body })).status).toBe(200)
}

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
  ['runs of any export', { action: 'cancel_runs', filter: {} }, "'batch_export' or 'cause' is required"],
  [
    'an unknown export',
    { action: 'cancel_runs', filter: { batch_export: '01900000-0000-7000-8000-000000000000' } },
    'object does not exist',
  ],
  [
    'windows of runs of any export',
    { action: 'export_windows', filter: {} },
    "'batch_export' or 'cause' is required.",
  ],
  [
    'windows of runs filtered like exports',
    { action: 'export_windows', filter: { paused: true } },
    "'paused' can be combined only with 'windows'.",
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

test('POST /api/projects/:project_id/bulk_actions/:id/undo/ returns 200 and unpauses only the exports that the action paused, with their previous state', async () => {
  const [first, second, third] = exports
  const url = (id = '') => `/api/projects/@current/batch_exports/${id}/`
  for (const verb of ['pause', 'unpause', 'pause'])
    await service.request('POST', `${url(first?.id)}${verb}/`, { body: {} })
  for (const verb of ['pause', 'unpause']) {
    service.clock.advance(1000)
    await service.request('POST', `${url(second?.id)}${verb}/`, { body: {} })
  }
  const before = await stateOf(exports)
  service.clock.advance(1000)
  const { id } = await start({ action: 'pause_batch_exports', filter: {} })
  await finish()
  expect((await stateOf(exports)).rows.every(({ paused }) => paused)).toBe(true)
  service.clock.advance(1000)
  await service.request('PATCH', url(third?.id), { body: { name: 'renamed' } })
  expect(await undo(id)).toMatchObject({ status: 'Undone', not_undone: 0, undo_until: null })
  const after = await stateOf(exports)
  expect(after.rows.map(({ name }) => name)).toEqual(['a', 'b', 'renamed'])
  expect({
    ...after,
    rows: after.rows.map((row, index) => ({ ...row, name: before.rows[index]?.name })),
  }).toEqual(before)
  const twice = await service.request('POST', `${path}${id}/undo/`, { body: {} })
  expect([twice.status, problemOf(twice).detail]).toEqual([409, 'This bulk action has been undone already.'])
})

test.each([
  { performed: 'none', turns: 0, undone: 0 },
  { performed: 'part', turns: 1, undone: 10 },
])('an undo stops an action of which $performed is done, and undoes that', async ({ turns, undone }) => {
  const many = []
  for (let index = 0; index < 15; index += 1) many.push(await createExport(service, { name: `${index}` }))
  const { id } = await start({ action: 'pause_batch_exports', ids: many.map((row) => row.id) })
  for (let turn = 0; turn < turns; turn += 1) await continueBulkAction(service.services)
  expect(await undo(id)).toMatchObject({
    status: 'Undone',
    total: 15,
    done: undone,
    undone,
    undo_until: null,
  })
  expect((await stateOf(many)).rows.filter(({ paused }) => paused)).toEqual([])
})

test('the windows of an undone pause are exported', async () => {
  const [first] = exports
  const { id } = await start({ action: 'pause_batch_exports', ids: [first?.id] })
  await finish()
  service.clock.advance(2 * 3_600_000)
  await tick(service.services)
  expect(await runsOf(first ?? { id: '' })).toHaveLength(0)
  // Extends the time for the undo beyond the two hours.
  await service.services.store
    .updateTable('bulk_actions')
    .set({ undo_until: new Date(service.clock.now() + 1) })
    .where('id', '=', id)
    .execute()
  await undo(id)
  await tick(service.services)
  expect(await runsOf(first ?? { id: '' })).toHaveLength(2)
})

test('an undo leaves an export unchanged that has been paused again since', async () => {
  const [first] = exports
  const { id } = await start({ action: 'pause_batch_exports', ids: ids() })
  await finish()
  for (const verb of ['unpause', 'pause']) {
    service.clock.advance(1000)
    await service.request('POST', `/api/projects/@current/batch_exports/${first?.id}/${verb}/`, { body: {} })
  }
  const undone = await undo(id)
  expect(undone).toMatchObject({ undone: 2, not_undone: 1 })
  expect(undone.failures).toEqual([
    { id: first?.id, name: 'a', reason: 'Not undone: it has been changed again since.' },
  ])
  expect((await stateOf(exports)).rows.map(({ paused }) => paused)).toEqual([true, false, false])
})

test('an undone unpause continues the pause and stops its backfill', async () => {
  const [first] = exports
  const pause = await start({ action: 'pause_batch_exports', ids: [first?.id] })
  await finish()
  expect((await details(pause.id)).done).toBe(1)
  await service.services.store
    .updateTable('batch_exports')
    .set({ paused_because: 'Many runs failed.' })
    .where('id', '=', first?.id ?? '')
    .execute()
  service.clock.advance(3 * 3_600_000)
  const before = await stateOf(exports)
  const { id } = await start({ action: 'unpause_batch_exports', ids: ids(), backfill: true })
  await finish()
  expect(await details(id)).toMatchObject({ done: 3, unchanged: 2 })
  // The window of the unpause is left to the schedule.
  const until = windowAt('hour', service.clock.now()).start
  expect((await runsOf(first ?? { id: '' })).map(({ data_interval_end: end }) => end.getTime())).toEqual([
    until,
    until - 3_600_000,
    until - 2 * 3_600_000,
  ])
  service.clock.advance(1000)
  expect(await undo(id)).toMatchObject({ undone: 1, not_undone: 0 })
  const after = await stateOf(exports)
  expect(after.pauses).toEqual(before.pauses)
  const pauseOf = (row: (typeof after.rows)[number]) => [row.paused, row.last_paused_at, row.paused_because]
  expect(after.rows.map(pauseOf)).toEqual(before.rows.map(pauseOf))
  expect((await runsOf(first ?? { id: '' })).map(({ status }) => status)).toEqual(Array(3).fill('Cancelled'))
})

test('an undone deletion restores the exports and continues their runs', async () => {
  const [first] = exports
  if (!first) throw new Error('no export')
  await insertRun(service, first)
  await backfill(first)
  const before = await stateOf(exports)
  const { id } = await start({ action: 'delete_batch_exports', ids: ids() })
  await finish()
  const url = `/api/projects/@current/batch_exports/${first.id}/`
  expect((await service.request('GET', url)).status).toBe(404)
  expect((await runsOf(first)).map(({ status }) => status)).toEqual([
    'Completed',
    ...Array(3).fill('Terminated'),
  ])
  service.clock.advance(1000)
  expect(await undo(id)).toMatchObject({ status: 'Undone', undone: 3 })
  expect(await stateOf(exports)).toEqual(before)
  const runs = await runsOf(first)
  expect(runs.map(({ status }) => status)).toEqual(['Completed', ...Array(3).fill('Starting')])
  expect(
    await service.services.queue.waiting(
      service.services.store,
      runs.map((run) => run.id),
    ),
  ).toEqual(new Set(runs.slice(1).map((run) => run.id)))
  const { results } = bodyOf(
    endpoints.listBackfills.response,
    await service.request('GET', `${url}backfills/`),
  )
  expect(results.map(({ status }) => status)).toEqual(['Running'])
})

test('an undo does not restore an export whose files another export now writes, and gives the reason', async () => {
  const [first] = exports
  const { id } = await start({ action: 'delete_batch_exports', ids: ids() })
  await finish()
  await createExport(service, { destination: first?.destination })
  const undone = await undo(id)
  expect(undone).toMatchObject({ undone: 2, not_undone: 1 })
  expect(undone.failures).toEqual([
    { id: first?.id, name: 'a', reason: expect.stringContaining('now writes files with these names') },
  ])
  expect((await service.request('GET', `/api/projects/@current/batch_exports/${first?.id}/`)).status).toBe(
    404,
  )
})

test('an action can be undone until five minutes after its end', async () => {
  const { id } = await start({ action: 'pause_batch_exports', ids: ids() })
  await finish()
  service.clock.advance(5 * 60_000)
  const response = await service.request('POST', `${path}${id}/undo/`, { body: {} })
  expect([response.status, problemOf(response).detail]).toEqual([
    409,
    expect.stringContaining('It is too late to undo this bulk action'),
  ])
})

test('a retry of all failed runs creates runs only where windows have failed, and its undo cancels them', async () => {
  const [first, second] = exports
  if (!first) throw new Error('no export')
  await insertRun(service, first, { status: 'Failed' })
  const { id } = await start({ action: 'export_windows', ids: ids(), windows: 'failed' })
  await finish()
  expect(await details(id)).toMatchObject({ done: 3, unchanged: 2, failed: 0 })
  expect(await runsOf(second ?? { id: '' })).toEqual([])
  expect((await runsOf(first)).map(({ status }) => status)).toEqual(['Failed', 'Starting'])
  expect(await undo(id)).toMatchObject({ undone: 1, not_undone: 0 })
  expect((await runsOf(first)).map(({ status }) => status)).toEqual(['Failed', 'Cancelled'])
})

test('a backfill covers the ended windows of each export, and fails with the reason for an export without any', async () => {
  const weekly = await createExport(service, { name: 'weekly', interval: 'week' })
  const range = { start_at: '2026-03-03T00:00:00Z', end_at: '2026-03-03T02:00:00Z' }
  const { id } = await start({
    action: 'export_windows',
    ids: [exports[0]?.id, weekly.id],
    windows: [range],
  })
  await finish()
  const { failures, ...rest } = await details(id)
  expect(rest).toMatchObject({ done: 1, failed: 1 })
  expect(failures).toEqual([{ id: weekly.id, name: 'weekly', reason: 'no window in this period has ended' }])
  expect(await runsOf(exports[0] ?? { id: '' })).toHaveLength(2)
})

test('a backfill of several ranges is one, without the windows between them, and its undo cancels its runs', async () => {
  const [first] = exports
  if (!first) throw new Error('no export')
  const range = (from: number, to: number) => ({
    start_at: `2026-03-03T0${from}:00:00Z`,
    end_at: `2026-03-03T0${to}:00:00Z`,
  })
  const windows = [range(5, 6), range(0, 2), range(1, 2)]
  const { id } = await start({ action: 'export_windows', ids: [first.id], windows })
  const again = await start({ action: 'export_windows', ids: [first.id], windows })
  const other = await start({ action: 'export_windows', ids: [first.id], windows: [...windows, range(3, 4)] })
  await finish()
  expect(await details(id)).toMatchObject({ windows: 'in_ranges', done: 1, failed: 0 })
  expect((await details(again.id)).failures).toMatchObject([
    { reason: expect.stringContaining('of the same range is still in progress') as unknown },
  ])
  expect(await details(other.id)).toMatchObject({ done: 1, failed: 0 })
  await undo(other.id)
  const runs = await runsOf(first)
  const hoursOf = (status: string) =>
    runs.flatMap((run) => (run.status === status ? run.data_interval_start.getUTCHours() : []))
  expect([hoursOf('Starting'), hoursOf('Cancelled')]).toEqual([
    [5, 0, 1],
    [5, 0, 1, 3],
  ])
  expect(new Set(runs.map((run) => run.backfill_id)).size).toBe(2)
})

test('the gap of a pause is exported, also after the export was edited since', async () => {
  const [first] = exports
  if (!first) throw new Error('no export')
  const url = `/api/projects/@current/batch_exports/${first.id}/`
  const body = { action: 'export_windows', ids: ids(), windows: 'skipped' }
  await service.request('POST', `${url}pause/`, { body: {} })
  service.clock.advance(3 * 3_600_000)
  await service.request('POST', `${url}unpause/`, { body: {} })
  service.clock.advance(1000)
  await service.request('PATCH', url, { body: { name: 'renamed' } })
  const { id } = await start(body)
  await finish()
  expect(await details(id)).toMatchObject({ windows: 'skipped', done: 3, unchanged: 2 })
  expect(await runsOf(first)).toHaveLength(3)
  const twice = await start(body)
  await finish()
  expect(await details(twice.id)).toMatchObject({ done: 3, unchanged: 3 })
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

test('unpausing fills only what the pause skipped, even if the interval was edited during the pause', async () => {
  const [first] = exports
  if (!first) throw new Error('no export')
  const url = `/api/projects/@current/batch_exports/${first.id}/`
  const began = windowAt('day', service.clock.now()).end
  service.clock.set(new Date(began + 600_000).toISOString())
  await service.request('PATCH', url, { body: { start_at: new Date(began).toISOString() } })
  service.clock.advance(3 * 3_600_000)
  // One tick schedules a hundred exports, and earlier tests left more.
  while ((await tick(service.services)).created > 0);
  const scheduled = await runsOf(first)
  expect(scheduled).toHaveLength(3)
  await service.request('POST', `${url}pause/`, { body: {} })
  await service.request('PATCH', url, { body: { interval: 'day' } })
  service.clock.advance(48 * 3_600_000)
  await start({ action: 'unpause_batch_exports', ids: [first.id], backfill: true })
  await finish()
  const hoursOf = (run: (typeof scheduled)[number]) =>
    [run.data_interval_start, run.data_interval_end].map((time) => (time.getTime() - began) / 3_600_000)
  expect((await runsOf(first)).slice(scheduled.length).map(hoursOf)).toEqual([
    [24, 48],
    [3, 24],
  ])
})
