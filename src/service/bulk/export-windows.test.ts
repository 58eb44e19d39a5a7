import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { windowAt } from '../../contract/interval.ts'
import { tick } from '../background/scheduler.ts'
import { createExport, insertRun } from '../testing/test-rows.ts'
import {
  createExports,
  details,
  exports,
  finish,
  ids,
  openBulkActions,
  runsOf,
  service,
  start,
  undo,
} from '../testing/exports/test-bulk-actions.ts'

beforeAll(openBulkActions)
afterAll(() => service.stop())
beforeEach(createExports)

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
