import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BatchExport } from '../../contract/exports/batch-export.ts'
import { holdWatermark } from '../store/runs/watermark.ts'
import { createExport, cursorOf } from '../testing/test-rows.ts'
import { bodyOf, createTestService, type TestService } from '../testing/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(() => service.clock.set('2026-03-04T10:30:00Z'))

const exportsPath = '/api/projects/@current/batch_exports/'

async function scheduled(id: string): Promise<string[]> {
  const rows = await service.services.store
    .selectFrom('batch_export_runs')
    .select('data_interval_start')
    .where('batch_export_id', '=', id)
    .where('origin', '=', 'schedule')
    .orderBy('data_interval_start')
    .execute()
  return rows.map((row) => row.data_interval_start.toISOString().slice(11, 16))
}

test('exports windows that ended before the pause, skips those of the pause, and keeps the current window', async () => {
  const created = await createExport(service)
  const path = `${exportsPath}${created.id}/`
  service.clock.set('2026-03-04T13:30:00Z')
  await service.request('POST', `${path}pause/`)
  service.clock.set('2026-03-04T17:40:00Z')
  await service.request('POST', `${path}unpause/`)
  expect(await scheduled(created.id)).toEqual(['10:00', '11:00', '12:00'])
  expect(await cursorOf(service, created.id)).toBe('2026-03-04T17:00:00.000Z')
})

test('does not skip a window to which an insert in flight may still add rows', async () => {
  const created = await createExport(service)
  const path = `${exportsPath}${created.id}/`
  const { store, clock } = service.services
  service.clock.set('2026-03-04T12:30:00Z')
  await store.transaction().execute(async (transaction) => {
    await holdWatermark(transaction, clock)
    service.clock.set('2026-03-04T13:30:00Z')
    await service.request('POST', `${path}pause/`)
    service.clock.set('2026-03-04T17:40:00Z')
    await service.request('POST', `${path}unpause/`)
  })
  expect(await scheduled(created.id)).toEqual(['10:00', '11:00'])
  expect(await cursorOf(service, created.id)).toBe('2026-03-04T12:00:00.000Z')
})

test('a pause within one window loses nothing', async () => {
  const created = await createExport(service)
  const path = `${exportsPath}${created.id}/`
  service.clock.set('2026-03-04T11:00:01Z')
  await service.request('POST', `${path}pause/`)
  service.clock.advance(60_000)
  await service.request('PATCH', path, { body: { paused: false } })
  expect(await cursorOf(service, created.id)).toBe('2026-03-04T10:00:00.000Z')
})

test('unpausing with a backfill exports the windows of the pause', async () => {
  const created = await createExport(service, { paused: true })
  service.clock.set('2026-03-04T12:10:00Z')
  const path = `${exportsPath}${created.id}/`
  const response = await service.request('POST', `${path}unpause/`, { body: { backfill: true } })
  expect(bodyOf(BatchExport, response).latest_runs.map((run) => run.data_interval_start)).toEqual([
    '2026-03-04T12:00:00Z',
    '2026-03-04T11:00:00Z',
    '2026-03-04T10:00:00Z',
  ])
})

test('an export stays paused if its backfill cannot be created', async () => {
  const created = await createExport(service, { paused: true })
  service.clock.set('2026-03-04T12:10:00Z')
  const { store } = service.services
  await sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`.execute(
    store,
  )
  await sql`CREATE TRIGGER refuse BEFORE INSERT ON batch_export_backfills FOR EACH ROW EXECUTE FUNCTION refuse()`.execute(
    store,
  )
  const path = `${exportsPath}${created.id}/`
  const response = await service.request('POST', `${path}unpause/`, { body: { backfill: true } })
  await sql`DROP FUNCTION refuse CASCADE`.execute(store)
  expect(response.status).toBe(500)
  expect(bodyOf(BatchExport, await service.request('GET', path)).paused).toBe(true)
})

test('changing a future start moves the schedule, later or earlier', async () => {
  const created = await createExport(service, { start_at: '2026-03-06T08:20:00Z' })
  expect(await cursorOf(service, created.id)).toBe('2026-03-06T08:00:00.000Z')
  const path = `${exportsPath}${created.id}/`
  await service.request('PATCH', path, { body: { start_at: '2026-03-05T00:00:00Z' } })
  expect(await cursorOf(service, created.id)).toBe('2026-03-05T00:00:00.000Z')
  await service.request('PATCH', path, { body: { start_at: null } })
  expect(await cursorOf(service, created.id)).toBe('2026-03-04T10:00:00.000Z')
})

test('after a change of interval, the schedule continues exactly where it was', async () => {
  const created = await createExport(service)
  const path = `${exportsPath}${created.id}/`
  await service.request('PATCH', path, { body: { interval: 'day' } })
  expect(await cursorOf(service, created.id)).toBe('2026-03-04T10:00:00.000Z')
})
