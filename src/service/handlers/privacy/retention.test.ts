import { afterAll, beforeAll, expect, test } from 'vitest'
import { Retention } from '../../../contract/privacy/retention.ts'
import { Coverage, decodeCoverage } from '../../../contract/runs/coverage.ts'
import { findRows, insertRow } from '../../store/schema/rows.ts'
import { createExport, insertRun } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, type TestService } from '../../testing/test-service.ts'
import { insertEvents } from '../../testing/test-sessions.ts'
import { firstKeptDay } from '../../privacy/retention-plan.ts'
import { nextSweep, sweepNext } from '../../privacy/sweep.ts'

const of = '/api/projects/:project_id/retention'
const dayMs = 86_400_000
let service: TestService
let project: number

beforeAll(async () => {
  service = await createTestService({ now: '2026-03-04T10:30:00Z' })
  project = service.own.project_id
})
afterAll(() => service.stop())

const ago = (days: number) => new Date(service.clock.now() - days * dayMs)
const settings = (body: object) =>
  service.request('PATCH', `/api/projects/${project}/privacy_settings/`, { body })

async function retention(query = '') {
  const response = await service.request('GET', `/api/projects/${project}/retention/${query}`)
  expect(response.status, response.text).toBe(200)
  const { data, ...others } = bodyOf(Retention, response)
  return { ...others, ...Object.fromEntries(data.map((each) => [each.kind, each])) } as Omit<
    Retention,
    'data'
  > &
    Record<'events' | 'runs' | 'logs', Retention['data'][number]>
}

async function arrive(session_id: string, days: number) {
  const at = ago(days).toISOString()
  const event = { session_id, event: session_id, timestamp: at, created_at: at, inserted_at: at }
  await insertEvents(service, [event])
}

const sessionsIn = async (table: string) => {
  const rows = await service.services.warehouse.query<{ session_id: string }>(
    `SELECT DISTINCT session_id FROM ${table} WHERE team_id = {project: Int64} ORDER BY session_id`,
    { params: { project } },
  )
  return rows.map(({ session_id }) => session_id)
}

test('the limits keep the newest days, by age and by size, and always today', () => {
  const now = 100 * dayMs + 1
  const counts = [90, 95, 98, 100].map((day) => ({ day, rows: 10 }))
  const first = (days: number | null, bytes: number | null) => firstKeptDay(counts, 2, { days, bytes }, now)
  expect(first(null, null)).toBe(-Infinity)
  expect(first(5, null)).toBe(95)
  expect(first(null, 40)).toBe(96)
  expect(first(5, 20)).toBe(99)
  expect(first(null, 1)).toBe(100)
})

test(`GET ${of}/ shows what the next sweep removes and when the disk is full, and the sweep removes it`, async () => {
  for (const [session, days] of [
    ['old', 40],
    ['older', 50],
    ['young', 3],
  ] as const)
    await arrive(session, days)
  const before = await retention()
  expect(before.events).toMatchObject({ rows: 3, until: null, removed_rows: 0, held_by: null })
  expect(before).toMatchObject({ next_sweep_at: null, swept: null, recording_days: 30 })
  expect(before.disk?.free_bytes).toBeGreaterThan(0)
  expect((await retention('?event_days=45')).events).toMatchObject({
    until: '2026-01-18T00:00:00Z',
    removed_rows: 1,
  })

  await settings({ event_days: 30 })
  const planned = await retention()
  expect(planned.events).toMatchObject({ until: '2026-02-02T00:00:00Z', removed_rows: 2, held_rows: 0 })
  expect(planned.next_sweep_at).toBe('2026-03-05T02:00:00Z')
  // The first sweep waits for its time.
  expect(await sweepNext(service.services)).toBe(false)
  service.clock.advance(dayMs)
  expect(await sweepNext(service.services)).toBe(true)
  expect(await sweepNext(service.services)).toBe(false)
  for (const table of ['events', 'session_events']) expect(await sessionsIn(table), table).toEqual(['young'])
  expect(await retention()).toMatchObject({
    swept: { events: 2, runs: 0, logs: 0 },
    events: { rows: 1, until: null },
  })
})

test('rows of a window that an export has yet to export are kept, and the plan says which', async () => {
  await settings({ event_days: 30 })
  const made = await createExport(service, { name: 'Behind' })
  const { store } = service.services
  await store
    .updateTable('batch_exports')
    .set({ scheduled_until: ago(45) })
    .where('id', '=', made.id)
    .execute()
  await arrive('taken', 60)
  await arrive('waiting', 40)
  const held = { removed_rows: 1, held_rows: 1, held_by: { batch_export: made.id, name: 'Behind' } }
  expect((await retention()).events).toMatchObject(held)
  service.clock.advance(dayMs)
  expect(await sweepNext(service.services)).toBe(true)
  expect(await sessionsIn('events')).toEqual(['waiting', 'young'])
  const pause = (paused_because: string | null) =>
    store
      .updateTable('batch_exports')
      .set({ paused: true, paused_because, last_updated_at: ago(0) })
      .where('id', '=', made.id)
      .execute()
  // Paused automatically, it is to catch up.
  await pause('5 of its last 5 scheduled runs failed.')
  expect((await retention()).events).toMatchObject({ removed_rows: 0, held_by: held.held_by })
  // Paused by someone, it skips its windows.
  await pause(null)
  expect((await retention()).events).toMatchObject({ removed_rows: 1, held_by: null })
})

test('removed runs leave no gap, and a failed window keeps its run', async () => {
  const { store } = service.services
  const made = await createExport(service, { name: 'Daily', interval: 'day' })
  const day = (start: number) => ({
    data_interval_start: new Date(start * dayMs),
    data_interval_end: new Date((start + 1) * dayMs),
    origin: 'schedule' as const,
  })
  const today = Math.floor(service.clock.now() / dayMs)
  const started = today - 80
  await store
    .updateTable('batch_exports')
    .set({ created_at: new Date(started * dayMs), scheduled_until: new Date(today * dayMs) })
    .where('id', '=', made.id)
    .execute()
  const { id: oldest } = await insertRun(service, made, day(started))
  for (let start = started + 1; start < today; start += 1)
    await insertRun(service, made, { ...day(start), status: start === today - 70 ? 'Failed' : 'Completed' })
  await insertRow(store, 'batch_export_logs', {
    batch_export_id: made.id,
    run_id: oldest,
    timestamp: ago(80),
    level: 'INFO',
    message: 'Started.',
  })
  await settings({ run_days: 60, event_days: null })
  const coverage = async () => {
    const start = new Date(started * dayMs).toISOString()
    const end = new Date(today * dayMs).toISOString()
    return await service.request(
      'GET',
      `/api/projects/${project}/batch_exports/${made.id}/coverage/?start=${start}&end=${end}`,
    )
  }
  expect((await retention()).runs).toMatchObject({
    removed_rows: 9,
    held_rows: 10,
    held_by: { name: 'Daily' },
  })
  service.clock.advance(dayMs)
  await sweepNext(service.services)
  const left = await findRows(store, 'batch_export_runs', { batch_export_id: made.id })
  expect(left).toHaveLength(71)
  expect(await findRows(store, 'batch_export_logs', { run_id: oldest })).toEqual([])
  const states = decodeCoverage(bodyOf(Coverage, await coverage())).map(({ state }) => state)
  expect([...new Set(states.slice(0, 9))]).toEqual(['before'])
  expect(states[10]).toBe('failed')
  expect(states).not.toContain('missing')
})

test('a sweep comes at 2:00 UTC', () => {
  const at = (time: string) => new Date(nextSweep(Date.parse(`2026-03-04T${time}Z`))).toISOString()
  expect([at('01:59:59'), at('02:00:00'), at('23:00:00')]).toEqual([
    '2026-03-04T02:00:00.000Z',
    '2026-03-05T02:00:00.000Z',
    '2026-03-05T02:00:00.000Z',
  ])
})
