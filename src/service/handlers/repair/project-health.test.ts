import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeStrip, Overview } from '../../../contract/exports/overview.ts'
import {
  healthCell,
  healthExportsMax,
  healthNamesMax,
  ProjectHealth,
} from '../../../contract/repair/project-health.ts'
import { noteDays } from '../../store/runs/day-changes.ts'
import { createExport, insertBackfill, insertRun, insertEntry } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, type TestService } from '../../testing/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService({ now: '2026-03-04T10:30:00Z' })
})
afterAll(() => service.stop())

const projectPath = () => `/api/projects/${service.secondProjectId}/`
const add = (input: object = {}) => createExport(service, input, `${projectPath()}batch_exports/`)
const hour = (number: number) => new Date(Date.UTC(2026, 2, 4, number))
const during = (start: number) => ({ data_interval_start: hour(start), data_interval_end: hour(start + 1) })

async function health(query = '', path = projectPath(), key?: string) {
  const response = await service.request('GET', `${path}health/${query}`, key === undefined ? {} : { key })
  expect(response.status, response.text).toBe(200)
  return bodyOf(ProjectHealth, response)
}

test('GET /api/projects/:project_id/health/ returns 200 with zeros for an empty project', async () => {
  expect(await health()).toEqual({
    at: '2026-03-04T10:30:00Z',
    is_sample: false,
    exports: { total: 0, complete: 0, failing: 0, paused: 0, auto_paused: 0, to_repair: 0 },
    most_urgent: [],
    strip: { start: '2026-02-25T12:00:00Z', windows: zeros(56), to_repair: zeros(56) },
    rows: { until: '2026-03-04T10:00:00Z', today: 0, compared: 0, usual: null, weeks: 0 },
    changes: null,
    more_changes: 0,
    running: { runs: 0, newest: [], backfills: [] },
    capture: { last_event: null, by_minute: zeros(30), last_recording: null },
  })
})

test('counts complete and failing exports, windows to repair and rows, those to repair in each cell', async () => {
  service.clock.set('2026-03-04T10:36:00Z')
  const good = await add({ name: 'Good' })
  const failing = await add({ name: 'Failing' })
  for (const start of [6, 7, 8, 9])
    await insertRun(service, good, { ...during(start), records_completed: 10, records_total_count: 10 })
  await insertRun(service, failing, { ...during(5), records_completed: 3 })
  await insertRun(service, failing, { ...during(7), status: 'Failed' })
  await insertRun(service, failing, { ...during(8), status: 'Failed' })
  await insertRun(service, good, {
    ...during(6),
    data_interval_start: new Date(hour(6).getTime() - 7 * 86_400_000),
    data_interval_end: new Date(hour(7).getTime() - 7 * 86_400_000),
    records_completed: 30,
  })
  const { exports, most_urgent: shown, strip, rows } = await health()
  // Good: all hours between its runs of last week and today. Failing: 06:00 and 09:00 have no run, two failed.
  expect(exports).toEqual({
    total: 2,
    complete: 0,
    failing: 1,
    paused: 0,
    auto_paused: 0,
    to_repair: 167 + 4,
  })
  expect(rows).toEqual({ until: '2026-03-04T10:00:00Z', today: 43, compared: 40, usual: 30, weeks: 1 })
  const [first, second] = shown
  expect([first?.name, first?.state, first?.to_repair, second?.name]).toEqual([
    'Failing',
    'failing',
    4,
    'Good',
  ])
  expect(healthCell(strip.start, 55)).toEqual({ start: hour(9).getTime(), end: hour(12).getTime() })
  expect([strip.windows.at(-2), strip.to_repair.at(-2), strip.to_repair.at(-1)]).toEqual([6, 3, 1])
})

test('a repaired window, a pause and an edited end change the numbers at once', async () => {
  const made = await add({ name: 'Changing' })
  await insertRun(service, made, during(7))
  const toRepair = async () =>
    (await health()).most_urgent.find(({ name }) => name === 'Changing')?.to_repair ?? null
  expect(await toRepair()).toBe(2)
  await insertRun(service, made, during(8))
  expect(await toRepair()).toBe(1)
  const { store } = service.services
  await store
    .updateTable('batch_export_runs')
    .set({ status: 'Failed' })
    .where('batch_export_id', '=', made.id)
    .execute()
  await noteDays(store, made.id)
  expect(await toRepair()).toBe(3)
  const path = `${projectPath()}batch_exports/${made.id}/`
  await service.request('PATCH', path, { body: { end_at: '2026-03-04T09:00:00Z' } })
  expect(await toRepair()).toBe(2)
  await store.deleteFrom('batch_export_runs').where('batch_export_id', '=', made.id).execute()
  await noteDays(store, made.id)
  expect(await toRepair()).toBe(0)
  await service.request('POST', `${path}pause/`)
  expect((await health()).exports.paused).toBe(1)
})

test('a window that its verification refutes is short in the strips, like in the number to repair', async () => {
  const made = await add({ name: 'Verified' })
  for (const start of [7, 8, 9]) {
    const run = await insertRun(service, made, during(start))
    await insertEntry(service, run)
  }
  const shown = async () => {
    const { most_urgent: urgent, strip } = await health()
    const response = await service.request('GET', `${projectPath()}batch_exports/overview/`)
    const { at, results } = bodyOf(Overview, response)
    const row = results.find(({ id }) => id === made.id)
    return {
      windows:
        row &&
        decodeStrip(row, at)
          .slice(-3)
          .map(({ state }) => state),
      toRepair: urgent.find(({ id }) => id === made.id)?.to_repair,
      all: strip.to_repair.at(-2),
    }
  }
  const before = await shown()
  expect(before).toMatchObject({ windows: ['completed', 'completed', 'completed'], toRepair: 0 })
  await service.services.store
    .updateTable('batch_export_ledger')
    .set({ objects_found: 'gone' })
    .where('batch_export_id', '=', made.id)
    .where('data_interval_start', '=', hour(8))
    .execute()
  await noteDays(service.services.store, made.id)
  expect(await shown()).toEqual({
    windows: ['completed', 'short', 'completed'],
    toRepair: 1,
    all: (before.all ?? 0) + 1,
  })
})

test('lists what changed since a time, newest first: failures, pauses and by whom, gaps, new errors', async () => {
  service.clock.set('2026-03-04T10:38:00Z')
  const made = await add({ name: 'Watched' })
  service.clock.set('2026-03-04T10:40:00Z')
  await insertRun(service, made, during(7))
  const failed = await insertRun(service, made, {
    ...during(9),
    status: 'Failed',
    latest_error: 'The bucket is gone.',
    finished_at: new Date('2026-03-04T10:36:00Z'),
  })
  await service.request('POST', `${projectPath()}batch_exports/${made.id}/pause/`)
  await service.services.warehouse.insert(
    'console_entries',
    JSON.stringify({
      team_id: service.secondProjectId,
      session_id: 'session',
      window_id: 'window',
      timestamp: '2026-03-04 10:35:00.000',
      level: 'error',
      message: 'Voucher 17 refused',
      item: made.id,
      position: 0,
    }),
  )
  const { changes } = await health('?since=2026-03-04T09:30:00Z')
  const shown = changes?.filter((change) => change.export === null || change.export.name === 'Watched')
  const watched = { id: made.id, name: 'Watched' }
  const none = { export: watched, run: null, cluster: null, by: null, count: 1, text: null }
  expect(shown).toEqual([
    { ...none, kind: 'paused', at: '2026-03-04T10:40:00Z', by: 'Own key' },
    { ...none, kind: 'created', at: '2026-03-04T10:38:00Z', by: 'Own key' },
    { ...none, kind: 'failed', at: '2026-03-04T10:36:00Z', run: failed.id, text: 'The bucket is gone.' },
    {
      ...none,
      kind: 'error',
      at: '2026-03-04T10:35:00Z',
      export: null,
      cluster: expect.any(Number),
      text: 'Voucher … refused',
    },
  ])
  expect((await health('?since=2026-03-04T10:50:00Z')).changes).toEqual([])
  expect((await service.request('GET', `${projectPath()}health/?since=yesterday`)).status).toBe(400)
})

test('names the newest changes and counts the others', async () => {
  const since = '2026-03-04T10:51:00Z'
  service.clock.set('2026-03-04T10:52:00Z')
  for (let index = 0; index < healthNamesMax + 5; index += 1) {
    const made = await add({ name: `Many ${index}` })
    const finished_at = new Date(service.clock.now())
    if (index < 3) await insertRun(service, made, { ...during(9), status: 'Failed', finished_at })
  }
  const { changes, more_changes } = await health(`?since=${since}`)
  expect([changes?.length, more_changes]).toEqual([healthNamesMax, 8])
})

test('names what runs now, with its progress', async () => {
  const made = await add({ name: 'Running' })
  const backfill = await insertBackfill(service, made, { status: 'Running', total_runs: 3 })
  const run = await insertRun(service, made, {
    ...during(9),
    status: 'Running',
    backfill_id: backfill.id,
    records_completed: 40,
    records_total_count: 90,
    started_at: hour(10),
  })
  const { running } = await health()
  const named = { id: made.id, name: 'Running' }
  expect(running).toEqual({
    runs: 1,
    newest: [
      {
        id: run.id,
        export: named,
        start: '2026-03-04T09:00:00Z',
        end: '2026-03-04T10:00:00Z',
        started_at: '2026-03-04T10:00:00Z',
        records_completed: 40,
        records_total_count: 90,
      },
    ],
    backfills: [{ id: backfill.id, export: named, total_runs: 3, finished_runs: 2 }],
  })
})

test('shows capture to keys that may read recordings only', async () => {
  const at = service.clock.now()
  await service.services.warehouse.command(
    `INSERT INTO events (team_id, uuid, event, inserted_at)
    SELECT ${service.secondProjectId}, generateUUIDv4(), 'order', fromUnixTimestamp64Milli(${at} - number * 60000) FROM numbers(3)`,
  )
  service.clock.advance(5000)
  const { capture } = await health()
  expect(capture?.last_event).toBe(new Date(at).toISOString().replace('.000', ''))
  expect(capture?.by_minute.slice(-4)).toEqual([0, 1, 1, 1])
  expect(
    (await health('', projectPath(), await service.newKey({ scopes: ['batch_export:read'] }))).capture,
  ).toBeNull()
})

test('of a thousand exports, at most twelve are shown, those that need attention first', async () => {
  const path = `/api/projects/${service.own.project_id}/`
  const { id } = await createExport(service)
  const { store } = service.services
  await sql`
    INSERT INTO batch_exports SELECT (jsonb_populate_record(batch_exports, jsonb_build_object('id', uuidv7(), 'name', 'Export ' || n))).*
    FROM batch_exports, generate_series(2, 1000) n WHERE id = ${id}`.execute(store)
  await sql`
    INSERT INTO batch_export_runs (id, batch_export_id, project_id, origin, selects_by, status, attempt, data_interval_start,
      data_interval_end, records_completed, created_at, last_updated_at)
    SELECT uuidv7(), id, project_id, 'schedule', 'arrival', CASE WHEN name = 'Export 500' THEN 'Failed' ELSE 'Completed' END, 1, start,
      start + interval '1 hour', 1000, start, start
    FROM batch_exports, generate_series(1, 20) n, LATERAL (SELECT timestamptz '2026-03-04T10:00Z' - n * interval '1 hour' AS start) at
    WHERE name LIKE 'Export %'`.execute(store)
  const { exports, most_urgent: urgent } = await health('', path)
  expect(exports).toMatchObject({ total: 1000, failing: 1, to_repair: 20 })
  expect(urgent).toHaveLength(healthExportsMax)
  expect(urgent[0]).toMatchObject({ name: 'Export 500', to_repair: 20 })
})

function zeros(length: number): number[] {
  return Array<number>(length).fill(0)
}
