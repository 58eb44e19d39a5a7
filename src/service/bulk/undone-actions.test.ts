import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { endpoints } from '../../contract/endpoints.ts'
import { windowAt } from '../../contract/interval.ts'
import { tick } from '../background/scheduler.ts'
import { waitingRuns } from '../runs/waiting-runs.ts'
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

async function backfill({ id }: { id: string }) {
  const body = { start_at: '2026-03-01T00:00:00Z', end_at: '2026-03-01T03:00:00Z' }
  const url = `/api/projects/@current/batch_exports/${id}/backfill/`
  expect((await service.request('POST', url, { body })).status).toBe(200)
}

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
  const waiting = new Set(
    (await waitingRuns(service.services.store, service.clock.now(), 1000)).map(({ id }) => id),
  )
  expect(runs.map((run) => waiting.has(run.id))).toEqual([false, true, true, true])
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
