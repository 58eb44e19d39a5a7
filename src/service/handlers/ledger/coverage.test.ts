import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Coverage, decodeCoverage } from '../../../contract/runs/coverage.ts'
import { encodeStates } from '../../../contract/runs/window-state.ts'
import { createExport, insertRun } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import { tick } from '../../background/scheduler.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const pathOf = (id: string) => `/api/projects/@current/batch_exports/${id}/`

async function windowsOf(id: string, start: string, end: string) {
  const path = `${pathOf(id)}coverage/?start=${start}&end=${end}`
  const response = await service.request('GET', path)
  expect(response.status, response.text).toBe(200)
  return decodeCoverage(bodyOf(Coverage, response))
}

async function statesOf(id: string, start: string, end: string): Promise<string> {
  return encodeStates((await windowsOf(id, start, end)).map(({ state }) => state))
}

test('GET /api/projects/:project_id/batch_exports/:id/coverage/ returns 200 with every window and its run', async () => {
  service.clock.set('2026-03-04T06:30:00Z')
  const made = await createExport(service)
  service.clock.set('2026-03-04T10:30:00Z')
  await tick(service.services)
  const at = (hour: number) => new Date(Date.UTC(2026, 2, 4, hour))
  const run = await insertRun(service, made, {
    data_interval_start: at(4),
    data_interval_end: at(5),
    records_completed: 12,
    records_total_count: 12,
    attempt: 2,
    started_at: new Date('2026-03-04T10:00:00Z'),
    finished_at: new Date('2026-03-04T10:00:01.5Z'),
  })
  const windows = await windowsOf(made.id, '2026-03-04T03:20:00Z', '2026-03-04T11:00:01Z')
  expect(windows[1]).toEqual({
    start: at(4).getTime(),
    end: at(5).getTime(),
    state: 'completed',
    run: { id: run.id, records: 12, duration: 1500, attempt: 2 },
  })
  // The earliest run starts the lifetime, so the hour between that run and the schedule is missing.
  expect(encodeStates(windows.map(({ state }) => state))).toBe('bcmwwwwuu')
})

test('distinguishes windows of every kind of pause from missing ones', async () => {
  service.clock.set('2026-03-05T00:10:00Z')
  const { id } = await createExport(service)
  const steps: [string, () => Promise<unknown>][] = [
    ['2026-03-05T02:10:00Z', () => service.request('POST', `${pathOf(id)}pause/`, { body: {} })],
    ['2026-03-05T04:10:00Z', () => service.request('POST', `${pathOf(id)}unpause/`, { body: {} })],
    ['2026-03-05T06:10:00Z', () => service.request('PATCH', pathOf(id), { body: { paused: true } })],
    ['2026-03-05T08:10:00Z', () => service.request('PATCH', pathOf(id), { body: { paused: false } })],
    [
      '2026-03-05T10:10:00Z',
      () => service.request('PATCH', pathOf(id), { body: { paused: true, name: 'x' } }),
    ],
    ['2026-03-05T12:10:00Z', () => tick(service.services)],
  ]
  for (const [time, step] of steps) {
    service.clock.set(time)
    await tick(service.services)
    await step()
  }
  expect(await statesOf(id, '2026-03-04T23:00:00Z', '2026-03-05T13:00:00Z')).toBe('bwwppwwppwwppu')
})

test('the windows of an export that was created paused are paused', async () => {
  service.clock.set('2026-03-05T00:10:00Z')
  const { id } = await createExport(service, { paused: true })
  service.clock.set('2026-03-05T03:10:00Z')
  expect(await statesOf(id, '2026-03-04T23:00:00Z', '2026-03-05T04:00:00Z')).toBe('bpppu')
})

test('pausing and unpausing at the same moment leaves a single pause', async () => {
  const { id } = await createExport(service)
  for (const verb of ['pause', 'unpause', 'pause'])
    await service.request('POST', `${pathOf(id)}${verb}/`, { body: {} })
  const pauses = service.services.store
    .selectFrom('batch_export_pauses')
    .select('ended_at')
    .where('batch_export_id', '=', id)
  expect(await pauses.execute()).toEqual([{ ended_at: null }])
  await service.request('POST', `${pathOf(id)}unpause/`, { body: {} })
  expect(await pauses.execute()).toEqual([{ ended_at: new Date(service.clock.now()) }])
})

test('rejects a period with too many windows, or without a start or end', async () => {
  const { id } = await createExport(service)
  const ask = (query: string) => service.request('GET', `${pathOf(id)}coverage/?${query}`)
  const long = await ask('start=2020-01-01&end=2026-01-01')
  expect(long.status).toBe(400)
  expect(problemOf(long)).toMatchObject({
    attr: 'start',
    detail: "This period has 52608 windows; the maximum is 10500. Move 'start' and 'end' closer together.",
  })
  for (const query of ['start=2026-01-01&end=2026-01-01', 'start=2026-01-01', 'start=x&end=y', ''])
    expect((await ask(query)).status, query).toBe(400)
  for (const query of ['start=0001-01-01&end=0001-01-03', 'start=9999-12-30&end=9999-12-31T23:59:59-23:59'])
    expect((await ask(query)).status, query).toBe(200)
})

test('returns ten thousand windows with twelve thousand runs in a small response', async () => {
  service.clock.set('2026-03-04T10:30:00Z')
  const { id } = await createExport(service, { interval: 'every 5 minutes' })
  await sql`
    INSERT INTO batch_export_runs (id, batch_export_id, project_id, origin, selects_by, status, attempt, data_interval_start,
      data_interval_end, records_completed, records_total_count, created_at, started_at, finished_at, last_updated_at)
    SELECT uuidv7(), ${id}::uuid, ${service.own.project_id}::integer, 'retry', 'arrival', CASE WHEN n % 6 = 0 AND again = 1 THEN 'Failed' ELSE 'Completed' END,
      1, start, start + interval '5 minutes', n, n, start, start, start + interval '2 seconds', start
    FROM generate_series(0, 9999) n, generate_series(1, 2) again,
      LATERAL (SELECT timestamptz '2026-01-01Z' + n * interval '5 minutes' AS start) at
    WHERE again = 1 OR n % 5 = 0`.execute(service.services.store)
  await sql`VACUUM ANALYZE batch_export_runs`.execute(service.services.store)
  const end = new Date(Date.UTC(2026, 0, 1) + 10_000 * 300_000).toISOString()
  const path = `${pathOf(id)}coverage/?start=2026-01-01T00:00:00Z&end=${end}`
  const response = await service.request('GET', path)
  expect(response.text.length).toBeLessThan(500_000)
  const windows = decodeCoverage(bodyOf(Coverage, response))
  expect(windows).toHaveLength(10_000)
  expect(windows[7]).toMatchObject({ state: 'completed', run: { records: 7, duration: 2000, attempt: 1 } })
  expect(windows.filter(({ state }) => state === 'failed')).toHaveLength(1333)
})
