import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeStrip, Overview } from '../../../contract/exports/overview.ts'
import { updateRows } from '../../store/schema/rows.ts'
import { insertIncident } from '../../testing/test-alerts.ts'
import { createExport, insertEntry, insertRun, s3Destination } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, type TestService } from '../../testing/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService({ now: '2026-03-04T10:30:00Z' })
})
afterAll(() => service.stop())

async function overview(path = '/api/projects/@current/', key?: string) {
  const response = await service.request(
    'GET',
    `${path}batch_exports/overview/`,
    key === undefined ? {} : { key },
  )
  expect(response.status, response.text).toBe(200)
  return bodyOf(Overview, response)
}

async function overviewOf(id: string) {
  const found = (await overview()).results.find((one) => one.id === id)
  if (!found) throw new Error('the export is not in the overview')
  return found
}

const hour = (number: number) => new Date(Date.UTC(2026, 2, 4, number))
const during = (start: number) => ({ data_interval_start: hour(start), data_interval_end: hour(start + 1) })

test('GET /api/projects/:project_id/batch_exports/overview/ returns 200 with one row for each export', async () => {
  const made = await createExport(service, {
    destination: s3Destination,
    hogql_query: 'SELECT event FROM events',
  })
  for (const [start, records] of [
    [7, 100],
    [8, 20],
    [8, 30],
  ] as const)
    await insertRun(service, made, {
      ...during(start),
      records_completed: records,
      records_total_count: records,
    })
  const running = await insertRun(service, made, {
    ...during(9),
    status: 'Running',
    records_completed: 40,
    records_total_count: 90,
    started_at: hour(10),
  })
  const found = await overviewOf(made.id)
  expect(found).toEqual({
    id: made.id,
    team_id: made.team_id,
    name: 'Daily events',
    model: 'events',
    has_query: true,
    destination: {
      type: 'S3',
      config: { bucket_name: 'reports', region: 'eu-central-1', prefix: 'daily/' },
      integration: null,
    },
    interval: 'hour',
    paused: false,
    created_at: made.created_at,
    last_paused_at: null,
    paused_because: null,
    pause_reason: null,
    paused_until: null,
    tags: [],
    owner: '',
    note: '',
    state: 'running',
    failing_since: null,
    strip: `${'b'.repeat(45)}ccr`,
    missing: 0,
    failed: 0,
    flagged: [],
    running: {
      run: running.id,
      started_at: '2026-03-04T10:00:00Z',
      records_completed: 40,
      records_total_count: 90,
    },
    records_by_hour: [...Array<number>(21).fill(0), 100, 30, 0],
    next_window: { start: '2026-03-04T10:00:00Z', end: '2026-03-04T11:00:00Z' },
  })
  expect(decodeStrip(found, '2026-03-04T10:30:00Z').at(-1)).toEqual({
    start: hour(9).getTime(),
    end: hour(10).getTime(),
    state: 'running',
  })
})

test('shows when an export began to fail, its missing and failed windows, and whether it is paused or ended', async () => {
  const failing = await createExport(service)
  await insertRun(service, failing, during(4))
  for (const start of [6, 7, 9]) await insertRun(service, failing, { ...during(start), status: 'Failed' })
  expect(await overviewOf(failing.id)).toMatchObject({
    state: 'failing',
    failing_since: '2026-03-04T06:00:00Z',
    strip: `${'b'.repeat(42)}cmffmf`,
    missing: 2,
    failed: 3,
  })
  const paused = await createExport(service, { paused: true })
  expect(await overviewOf(paused.id)).toMatchObject({ state: 'paused', next_window: null })
  const waiting = await createExport(service, { start_at: '2026-03-06T00:00:00Z' })
  expect(await overviewOf(waiting.id)).toMatchObject({
    state: 'waiting',
    next_window: { start: '2026-03-06T00:00:00Z', end: '2026-03-06T01:00:00Z' },
  })
  const over = await createExport(service, { end_at: '2026-03-04T10:40:00Z' })
  expect(await overviewOf(over.id)).toMatchObject({ state: 'ended', next_window: null })
})

test('GET /api/organizations/:organization_id/batch_exports/overview/ returns 200 with the exports of all accessible projects', async () => {
  const path = `/api/projects/${service.secondProjectId}/batch_exports/`
  const second = await createExport(service, {}, path)
  const ids = async (key?: string) =>
    (await overview('/api/organizations/@current/', key)).results.map(({ id }) => id)
  expect(await ids()).toContain(second.id)
  expect((await overview()).results.map(({ id }) => id)).not.toContain(second.id)
  expect(await ids(await service.newKey({ projects: [service.secondProjectId] }))).toEqual([second.id])
  await service.request('DELETE', `${path}${second.id}/`)
  expect(await ids()).not.toContain(second.id)
})

test('a project without exports has an empty overview', async () => {
  expect((await overview(`/api/projects/${service.secondProjectId}/`)).results).toEqual([])
})

test('returns a thousand exports with their runs in one response', async () => {
  const { id } = await createExport(service)
  const { store } = service.services
  await sql`
    INSERT INTO batch_exports SELECT (jsonb_populate_record(batch_exports, jsonb_build_object('id', uuidv7(), 'name', 'Export ' || n))).*
    FROM batch_exports, generate_series(2, 1000) n WHERE id = ${id}`.execute(store)
  await sql`
    INSERT INTO batch_export_runs (id, batch_export_id, project_id, origin, selects_by, status, attempt, data_interval_start,
      data_interval_end, records_completed, records_total_count, created_at, started_at, finished_at, last_updated_at)
    SELECT uuidv7(), id, project_id, 'schedule', 'arrival', CASE WHEN n % 9 = 0 THEN 'Failed' ELSE 'Completed' END, 1, start,
      start + interval '1 hour', 1000, 1000, start, start, start + interval '2 seconds', start
    FROM batch_exports, generate_series(1, 100) n, LATERAL (SELECT timestamptz '2026-03-04T10:00Z' - n * interval '1 hour' AS start) at
    WHERE name LIKE 'Export %'`.execute(store)
  await sql`VACUUM ANALYZE batch_export_runs`.execute(store)
  const { results } = await overview()
  const shown = results.filter(({ name }) => name.startsWith('Export '))
  expect(shown).toHaveLength(999)
  expect(shown.every(({ failed, records_by_hour: sums }) => failed === 5 && sums[23] === 1000)).toBe(true)
})

test('the overview counts the open incidents of its projects and says when one last changed', async () => {
  expect((await overview()).incidents).toEqual({ open: 0, changed_at: null })
  const project = service.own.project_id
  const at = (minute: number) => new Date(Date.UTC(2026, 2, 4, 10, minute))
  await insertIncident(service, project, [], { last_updated_at: at(10) })
  await insertIncident(service, project, [], { last_updated_at: at(20), recovered_at: at(20) })
  await insertIncident(service, service.secondProjectId, [], { last_updated_at: at(25) })
  expect((await overview()).incidents).toEqual({ open: 1, changed_at: '2026-03-04T10:20:00Z' })
  const ofOrganization = await overview('/api/organizations/@current/')
  expect(ofOrganization.incidents).toEqual({ open: 2, changed_at: '2026-03-04T10:25:00Z' })
})

test('an export that was read before shows the changes of its settings, its run and its earlier windows', async () => {
  const made = await createExport(service)
  const yesterday = { data_interval_start: hour(-8), data_interval_end: hour(-7) }
  const run = await insertRun(service, made, { ...yesterday, records_completed: 5, records_total_count: 5 })
  const storeStates = () => service.request('GET', '/api/projects/@current/health/')
  await storeStates()
  expect(await overviewOf(made.id)).toMatchObject({ running: null, flagged: [] })
  await insertEntry(service, run, { rows_expected: 5, rows_written: 4 })
  await storeStates()
  expect((await overviewOf(made.id)).flagged).toEqual([{ start: '2026-03-03T16:00:00Z', flags: ['short'] }])
  await service.request('PATCH', `/api/projects/@current/batch_exports/${made.id}/`, {
    body: { note: 'Ask Ada.' },
  })
  expect((await overviewOf(made.id)).note).toBe('Ask Ada.')
  const { id } = await insertRun(service, made, { ...during(9), status: 'Running', records_completed: 1 })
  await storeStates()
  expect((await overviewOf(made.id)).running).toMatchObject({ records_completed: 1 })
  await updateRows(service.services.store, 'batch_export_runs', { id }, { records_completed: 2 })
  expect((await overviewOf(made.id)).running).toMatchObject({ records_completed: 2 })
})
