import { readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { z } from 'zod'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { RepairPlanDetails, RepairPlanList } from '../../../contract/repair/repair-plan.ts'
import { failureCause } from '../../../contract/runs/failure-cause.ts'
import { countRepairRows } from '../../background/count-repair-rows.ts'
import { continueRepairPlans } from '../../background/run-repair-plans.ts'
import { tick } from '../../background/scheduler.ts'
import { verifyNext } from '../../background/verify-windows.ts'
import { openWorker } from '../../runs/worker.ts'
import { openIngest } from '../../capture/ingest.ts'
import { deleteUnusedPlans } from '../../store/repair/repair-plans.ts'
import { requestVerification } from '../../store/windows/verifications.ts'
import { createExport } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

const path = '/api/projects/@current/repair_plans/'
const hour = 3_600_000
const { signal } = new AbortController()

let service: TestService
beforeAll(async () => {
  service = await createTestService({ now: '2026-03-04T10:30:00Z' })
})
afterAll(() => service.stop())
/** Every test has exports of its own. */
beforeEach(async () => {
  await service.services.store.updateTable('batch_exports').set({ deleted_at: new Date() }).execute()
})

type Details = z.output<typeof RepairPlanDetails>

async function plan(body: object = {}, key?: string): Promise<Details> {
  const response = await service.request('POST', path, { body, ...(key !== undefined && { key }) })
  expect(response.status, response.text).toBe(201)
  return bodyOf(RepairPlanDetails, response)
}

async function act(id: string, verb: 'run' | 'stop', body: object = {}, key?: string): Promise<Details> {
  const response = await service.request('POST', `${path}${id}/${verb}/`, {
    body,
    ...(key !== undefined && { key }),
  })
  expect(response.status, response.text).toBe(200)
  return bodyOf(RepairPlanDetails, response)
}

async function show(id: string): Promise<Details> {
  const response = await service.request('GET', `${path}${id}/`)
  expect(response.status, response.text).toBe(200)
  return bodyOf(RepairPlanDetails, response)
}

/** Executes all waiting runs, and as many more as they create. */
async function work(): Promise<void> {
  const worker = openWorker(service.services)
  const { store } = service.services
  const waiting = store.selectFrom('batch_export_runs').select('id').where('status', '=', 'Starting')
  for (let runs = await waiting.execute(); runs.length > 0; runs = await waiting.execute())
    for (const { id } of runs) await worker.work(id)
}

async function finish(): Promise<void> {
  for (let changed = true; changed;) {
    changed = await continueRepairPlans(service.services)
    await work()
    while (await verifyNext(service.services, signal)) changed = true
  }
}

const uuid = () => crypto.randomUUID()

function capture(count: number, at = service.clock.now()): Promise<unknown> {
  return openIngest(service.services).add(
    service.own.project_id,
    Array.from({ length: count }, () => ({
      uuid: uuid(),
      event: 'captured',
      distinctId: 'someone',
      timestamp: at,
      properties: '{}',
      sessionId: '',
      elementsChain: '',
      change: null,
    })),
  )
}

/** Lets an export run for `hours`, with one event in each; returns the export. */
async function exported(hours: number, input: object = {}): Promise<BatchExport> {
  const made = await createExport(service, input)
  for (let each = 0; each < hours; each += 1) {
    await capture(1)
    service.clock.advance(hour)
    await tick(service.services)
    await work()
  }
  return made
}

/** Makes the run of a window fail as if its destination had been down; `hours` counts from the export's first window. */
async function fail(made: BatchExport, hours: readonly number[], status: 'Failed' | 'Cancelled' = 'Failed') {
  const { store } = service.services
  const first = Math.floor(Date.parse(made.created_at) / hour) * hour
  for (const each of hours) {
    const start = new Date(first + each * hour)
    await store
      .updateTable('batch_export_runs')
      .set({ status, latest_error: 'The bucket does not exist.', files: [] })
      .where('batch_export_id', '=', made.id)
      .where('data_interval_start', '=', start)
      .execute()
    await store
      .deleteFrom('batch_export_ledger')
      .where('batch_export_id', '=', made.id)
      .where('data_interval_start', '=', start)
      .execute()
  }
}

const summary = ({ results }: Details) =>
  results.map(({ windows, causes, state, selects_by }) => ({ windows, causes, state, selects_by }))
const none = { missing: 0, failed: 0, short: 0, skipped: 0 }

test('POST /api/projects/:project_id/repair_plans/ returns 201 with the fewest steps, newest first, and their expected rows and time', async () => {
  const made = await exported(8)
  await fail(made, [1, 2, 6])
  await fail(made, [3], 'Cancelled')
  const created = await plan()
  expect(created).toMatchObject({ status: 'Planned', exports: 1, windows: 4, by: 'Own key' })
  expect(summary(created)).toEqual([
    { windows: 1, causes: { ...none, failed: 1 }, state: 'planned', selects_by: 'arrival' },
    { windows: 3, causes: { ...none, failed: 2, missing: 1 }, state: 'planned', selects_by: 'arrival' },
  ])
  // Of one row in each window until now.
  expect(created).toMatchObject({ rows_expected: 4, rows_counted: false })
  while (await countRepairRows(service.services, signal));
  const counted = await show(created.id)
  expect(counted.results.map(({ rows_expected }) => rows_expected)).toEqual([1, 3])
  expect(counted).toMatchObject({ rows_expected: 4, rows_counted: true })
  expect(counted.results.every(({ seconds_expected }) => seconds_expected !== null)).toBe(true)
})

test('POST /api/projects/:project_id/repair_plans/:id/run/ returns 200, and the plan repairs and proves every window', async () => {
  const made = await exported(6)
  await fail(made, [0, 1, 4])
  const created = await plan()
  await act(created.id, 'run')
  await finish()
  const done = await show(created.id)
  expect(done).toMatchObject({
    status: 'Completed',
    windows: 3,
    sent: 3,
    finished: 3,
    proven: 3,
    unreadable: 0,
  })
  expect(done.results.map(({ state, problem }) => [state, problem])).toEqual([
    ['proven', null],
    ['proven', null],
  ])
  expect((await plan()).windows).toBe(0)
})

test('a plan expects the time of its runs at once, and the rows and time of an export without a completed run are unknown', async () => {
  const made = await exported(8)
  const runs = service.services.store.updateTable('batch_export_runs').where('batch_export_id', '=', made.id)
  await runs.set({ records_completed: 10, started_at: sql`finished_at - interval '6 seconds'` }).execute()
  await fail(made, [1, 2, 6])
  const { workers } = service.services.config
  const atOnce = (windows: number) => (6 * windows) / Math.min(windows, Math.max(1, workers - 1))
  const created = await plan()
  expect(created).toMatchObject({ rows_expected: 30, seconds_expected: atOnce(3) })
  expect(created.results.map((step) => [step.rows_expected, step.seconds_expected])).toEqual([
    [10, 6],
    [20, atOnce(2)],
  ])
  const never = await createExport(service)
  service.clock.advance(hour)
  await tick(service.services)
  await fail(never, [0])
  await work()
  const both = await plan({ batch_export_ids: [made.id, never.id] })
  expect(both.seconds_expected).toBeNull()
  expect(both.results.find((step) => step.batch_export === never.id)).toMatchObject({
    rows_expected: null,
    seconds_expected: null,
  })
})

test.each([
  ['nothing', 'left_out'],
  ['a new name', 'left_out'],
  ['another folder', 'planned'],
  ['a completed run', 'planned'],
])('after a failure at the destination and then %s, the steps of the export are %s', async (since, state) => {
  const made = await exported(3)
  await fail(made, [1, 2])
  const { store } = service.services
  const cause = { failure_cause: failureCause('There is no bucket "lake".', made.destination).key }
  await store.updateTable('batch_export_runs').set(cause).where('status', '=', 'Failed').execute()
  service.clock.advance(1000)
  const body = since === 'a new name' ? { name: 'Renamed' } : { destination: { config: { path: uuid() } } }
  if (since.startsWith('a new') || since.startsWith('another'))
    expect(
      await service.request('PATCH', `/api/projects/@current/batch_exports/${made.id}/`, { body }),
    ).toMatchObject({ status: 200 })
  if (since === 'a completed run') {
    service.clock.advance(hour)
    await tick(service.services)
    await work()
  }
  const isLeftOut = state === 'left_out'
  const created = await plan()
  expect(created).toMatchObject({ windows: isLeftOut ? 0 : 2, steps: { total: 1, states: { [state]: 1 } } })
  const will_fail = isLeftOut ? 'The bucket does not exist.' : null
  expect(created.results).toMatchObject([{ state, will_fail }])
  // It may have been fixed elsewhere.
  await act(created.id, 'run', { include: [0] })
  await finish()
  expect((await show(created.id)).results).toMatchObject([{ state: 'proven', will_fail: null }])
})

test('a repair sends rows by arrival, so a late event is neither lost nor doubled', async () => {
  const made = await exported(4)
  // Arrives in the last window, but happened in the first, which is exported again.
  await capture(1, service.clock.now() - 4 * hour)
  service.clock.advance(hour)
  await tick(service.services)
  await work()
  await fail(made, [0, 4])
  const { id } = await plan()
  await act(id, 'run')
  await finish()
  const { store } = service.services
  const runs = store
    .selectFrom('batch_export_runs')
    .select(['origin', 'selects_by', 'records_completed'])
    .where('batch_export_id', '=', made.id)
    .where('status', '=', 'Completed')
    .orderBy('data_interval_start')
  expect(await runs.execute()).toEqual([
    { origin: 'backfill', selects_by: 'arrival', records_completed: 1 },
    { origin: 'schedule', selects_by: 'arrival', records_completed: 1 },
    { origin: 'schedule', selects_by: 'arrival', records_completed: 1 },
    { origin: 'schedule', selects_by: 'arrival', records_completed: 1 },
    { origin: 'backfill', selects_by: 'arrival', records_completed: 1 },
  ])
})

test('PATCH /api/projects/:project_id/repair_plans/:id/ returns 200 and leaves steps out; windows that a pause skipped are left out until included', async () => {
  const made = await exported(2)
  const url = `/api/projects/@current/batch_exports/${made.id}/`
  await service.request('POST', `${url}pause/`, { body: {} })
  service.clock.advance(3 * hour)
  await service.request('POST', `${url}unpause/`, { body: {} })
  service.clock.advance(2 * hour)
  await tick(service.services)
  await work()
  await fail(made, [0, 6])
  const created = await plan()
  expect(summary(created)).toEqual([
    { windows: 1, causes: { ...none, failed: 1 }, state: 'planned', selects_by: 'arrival' },
    { windows: 3, causes: { ...none, skipped: 3 }, state: 'left_out', selects_by: 'arrival' },
    { windows: 1, causes: { ...none, failed: 1 }, state: 'planned', selects_by: 'arrival' },
  ])
  expect(created).toMatchObject({
    windows: 2,
    skipped_by_pause: 3,
    steps: { total: 3, states: { planned: 2, left_out: 1 } },
  })
  const change = { leave_out: [2], include: [1] }
  const response = await service.request('PATCH', `${path}${created.id}/`, { body: change })
  expect(response.status, response.text).toBe(200)
  expect(bodyOf(RepairPlanDetails, response)).toMatchObject({
    windows: 4,
    causes: { ...none, failed: 1, skipped: 3 },
  })
  await act(created.id, 'run')
  const refused = await service.request('PATCH', `${path}${created.id}/`, { body: change })
  expect([refused.status, problemOf(refused).detail]).toEqual([
    409,
    "Cannot change the steps of a repair plan that is in 'Running' status: stop it first.",
  ])
  await finish()
  expect((await show(created.id)).results.map(({ state }) => state)).toEqual(['proven', 'proven', 'left_out'])
  expect(summary(await plan())).toEqual([
    { windows: 1, causes: { ...none, failed: 1 }, state: 'planned', selects_by: 'arrival' },
  ])
})

test('POST /api/projects/:project_id/repair_plans/:id/stop/ returns 200 and cancels waiting runs; another key resumes the plan', async () => {
  const made = await exported(6)
  await fail(made, [0, 1, 3, 4, 5])
  const created = await plan()
  await act(created.id, 'run', { leave_out: [] })
  expect(await continueRepairPlans(service.services)).toBe(true)
  const { store } = service.services
  const waiting = store.selectFrom('batch_export_runs').select('id').where('status', '=', 'Starting')
  expect(await waiting.execute()).toHaveLength(5)
  // One run completes, one is being executed when the plan stops.
  const [first, second] = await waiting.execute()
  await openWorker(service.services).work(first?.id ?? '')
  await setStatus(second?.id, 'Running')
  const stopped = await act(created.id, 'stop')
  expect(stopped).toMatchObject({ status: 'Stopped', sent: 2 })
  expect(await waiting.execute()).toEqual([])
  expect(await continueRepairPlans(service.services)).toBe(false)
  await setStatus(second?.id, 'Starting')
  const again = await service.request('POST', `${path}${created.id}/stop/`, { body: {} })
  expect([again.status, problemOf(again).detail]).toEqual([
    409,
    "Cannot stop a repair plan that is in 'Stopped' status",
  ])
  await act(created.id, 'run', {}, await service.newKey({ scopes: ['batch_export:write'] }))
  await finish()
  expect(await show(created.id)).toMatchObject({
    status: 'Completed',
    sent: 5,
    proven: 5,
    steps: { states: { proven: 2 } },
  })
  const runs = store.selectFrom('batch_export_runs').select('id').where('batch_export_id', '=', made.id)
  expect(await runs.where('status', '=', 'Completed').execute()).toHaveLength(6)
})

test('a plan that is stopped twice counts the windows that the first stop cancelled once', async () => {
  const made = await exported(3)
  await fail(made, [1])
  const created = await plan()
  await act(created.id, 'run')
  await continueRepairPlans(service.services)
  expect(await act(created.id, 'stop')).toMatchObject({ sent: 0 })
  const other = await plan()
  await act(other.id, 'run')
  await finish()
  await act(created.id, 'run')
  await continueRepairPlans(service.services)
  expect(await act(created.id, 'stop')).toMatchObject({ sent: 0 })
  await act(created.id, 'run')
  await finish()
  expect(await show(created.id)).toMatchObject({ status: 'Completed', sent: 0, proven: 1 })
})

async function setStatus(id: string | undefined, status: 'Running' | 'Starting'): Promise<void> {
  const runs = service.services.store.updateTable('batch_export_runs')
  await runs
    .set({ status })
    .where('id', '=', id ?? '')
    .execute()
}

test('two plans over the same windows send each window once, and both prove it', async () => {
  const made = await exported(4)
  await fail(made, [1, 2])
  const plans = [await plan(), await plan({ batch_export_ids: [made.id] })]
  for (const { id } of plans) await act(id, 'run')
  const twice = await service.request('POST', `${path}${plans[0]?.id}/run/`, { body: {} })
  expect(twice.status).toBe(409)
  await finish()
  const shown = await Promise.all(plans.map(({ id }) => show(id)))
  expect(shown.map(({ sent, proven, status }) => [sent, proven, status])).toEqual([
    [2, 2, 'Completed'],
    [0, 2, 'Completed'],
  ])
})

test('a failed repair says why, and a later plan repairs the window', async () => {
  const made = await exported(3)
  await fail(made, [1])
  const { store } = service.services
  const exports = store.updateTable('batch_exports').where('id', '=', made.id)
  await exports.set({ hogql_query: 'SELECT no_such_column FROM events' }).execute()
  const created = await plan()
  await act(created.id, 'run')
  await finish()
  expect((await show(created.id)).results).toMatchObject([
    {
      state: 'failed',
      sent: 1,
      proven: 0,
      problem: expect.stringMatching(/^1 window is not exported: .*query/) as unknown,
    },
  ])
  await exports.set({ hogql_query: null }).execute()
  const next = await plan()
  await act(next.id, 'run')
  await finish()
  expect((await show(next.id)).results).toMatchObject([{ state: 'proven' }])
})

test('a step says whether its export is paused, and that it will fail where its folder is a file', async () => {
  const path = uuid()
  const made = await exported(1, { destination: { type: 'File', config: { path } } })
  const folder = join(service.services.exportsFolder ?? '', String(made.team_id), path)
  await rename(folder, `${folder}.away`)
  await writeFile(folder, 'A file.')
  await capture(1)
  service.clock.advance(hour)
  await tick(service.services)
  await work()
  const url = `/api/projects/@current/batch_exports/${made.id}/`
  await service.request('POST', `${url}pause/`, { body: {} })
  const will_fail = expect.stringContaining('is a file') as unknown
  expect((await plan()).results).toMatchObject([{ batch_export_paused: true, state: 'left_out', will_fail }])
  service.clock.advance(1000)
  await service.request('PATCH', url, { body: { destination: { type: 'File', config: { path: uuid() } } } })
  expect((await plan()).results).toMatchObject([{ batch_export_paused: true, state: 'planned' }])
})

/** Plans the repair of two windows whose files are missing, and lets their runs fail. */
async function planToFail() {
  const made = await exported(3)
  const files = (await filesOf(made)).slice(0, 2)
  await Promise.all(files.map((file) => rename(file, `${file}.away`)))
  const { store } = service.services
  await requestVerification(store, {
    batchExportId: made.id,
    actor: 'Key',
    at: new Date(service.clock.now()),
    selection: { within: { start: new Date(0), end: new Date(service.clock.now()) } },
  })
  while (await verifyNext(service.services, signal));
  const query = 'SELECT no_such_column FROM events'
  await store.updateTable('batch_exports').set({ hogql_query: query }).where('id', '=', made.id).execute()
  const created = await plan()
  expect(created.causes).toEqual({ ...none, short: 2 })
  await act(created.id, 'run')
  return { id: created.id, files }
}

async function filesOf({ team_id, destination }: BatchExport): Promise<string[]> {
  const folder = join(
    service.services.exportsFolder ?? '',
    String(team_id),
    String(destination.config?.['path']),
  )
  return (await readdir(folder)).toSorted().map((name) => join(folder, name))
}

test.each([
  [
    'still lacks its file',
    false,
    /^2 windows are not exported again: .*query.*\. 2 windows are not as written/,
  ],
  ['has its file again', true, /^2 windows are not exported again: .*query((?!not as written).)*$/],
])('a repair of an exported window that %s fails with the error of its run', async (_, returns, problem) => {
  const { id, files } = await planToFail()
  if (returns) await Promise.all(files.map((file) => rename(`${file}.away`, file)))
  await finish()
  expect((await show(id)).results).toMatchObject([
    { state: 'failed', sent: 2, proven: returns ? 2 : 0, problem: expect.stringMatching(problem) as unknown },
  ])
})

test('a stopped repair shows the error of a run that failed, and a cancelled run fails its step', async () => {
  const { id } = await planToFail()
  await continueRepairPlans(service.services)
  const { store } = service.services
  const waiting = store.selectFrom('batch_export_runs').select('id').where('status', '=', 'Starting')
  const [first] = await waiting.execute()
  await openWorker(service.services).work(first?.id ?? '')
  const error = expect.stringMatching(/^1 window is not exported again: .*query/) as unknown
  expect((await act(id, 'stop')).results).toMatchObject([{ state: 'planned', sent: 1, problem: error }])
  await act(id, 'run')
  await continueRepairPlans(service.services)
  const [step] = (await show(id)).results
  const backfill = `/api/projects/@current/batch_exports/${step?.batch_export}/backfills/${step?.backfill}/`
  expect((await service.request('POST', `${backfill}cancel/`, { body: {} })).status).toBe(200)
  await finish()
  const cancelled = expect.stringMatching(
    /^2 windows are not exported again: the run was cancelled\. .*query/,
  ) as unknown
  expect((await show(id)).results).toMatchObject([{ state: 'failed', problem: cancelled }])
})

test('a stopped repair says of a window that was never exported that it is not exported', async () => {
  const made = await exported(3)
  await fail(made, [0, 1])
  const { store } = service.services
  const query = 'SELECT no_such_column FROM events'
  await store.updateTable('batch_exports').set({ hogql_query: query }).where('id', '=', made.id).execute()
  const { id } = await plan()
  await act(id, 'run')
  await continueRepairPlans(service.services)
  const waiting = store.selectFrom('batch_export_runs').select('id').where('status', '=', 'Starting')
  const [first] = await waiting.execute()
  await openWorker(service.services).work(first?.id ?? '')
  const error = expect.stringMatching(
    /^1 window is not exported: .*query((?!not exported again).)*$/,
  ) as unknown
  expect((await act(id, 'stop')).results).toMatchObject([{ state: 'planned', problem: error }])
})

test.each([
  ['another backfill completes', /^2 windows failed before later runs exported them: .*query/, 2],
  ['another backfill is cancelled', /^2 windows are not exported again: the run was cancelled\. .*query/, 0],
  ['the plan is stopped and run again', /^1 window failed before a later run exported it: .*query/, 2],
])('a step whose run failed counts as failed, even if afterwards %s', async (what, problem, proven) => {
  const { id } = await planToFail()
  await continueRepairPlans(service.services)
  const [step] = (await show(id)).results
  const url = `/api/projects/@current/batch_exports/${step?.batch_export}/`
  const { store } = service.services
  const waiting = store.selectFrom('batch_export_runs').select('id').where('status', '=', 'Starting')
  const mend = () =>
    store
      .updateTable('batch_exports')
      .set({ hogql_query: null })
      .where('id', '=', step?.batch_export ?? '')
      .execute()
  if (what.startsWith('the plan')) {
    const [first] = await waiting.execute()
    await openWorker(service.services).work(first?.id ?? '')
    await act(id, 'stop')
    await mend()
    service.clock.advance(1)
    await act(id, 'run')
  } else {
    await work()
    service.clock.advance(1)
    const body = { start_at: step?.start, end_at: step?.end }
    const response = await service.request('POST', `${url}backfill/`, { body })
    expect(response.status, response.text).toBe(200)
    const { body: list } = await service.request('GET', `${url}backfills/`)
    const [newest] = (list as { results: { id: string }[] }).results
    const cancel = () => service.request('POST', `${url}backfills/${newest?.id}/cancel/`, { body: {} })
    if (what.endsWith('completes')) await mend()
    else expect((await cancel()).status).toBe(200)
    await work()
  }
  await finish()
  expect((await show(id)).results).toMatchObject([
    { state: 'failed', proven, problem: expect.stringMatching(problem) as unknown },
  ])
})

test.each([
  ['before its step', 'failed'],
  ['while its step runs', 'failed'],
])('an export that is deleted %s ends the step', async (moment, state) => {
  const made = await exported(3)
  await fail(made, [1])
  const created = await plan()
  await act(created.id, 'run')
  if (moment !== 'before its step') await continueRepairPlans(service.services)
  await service.request('DELETE', `/api/projects/@current/batch_exports/${made.id}/`)
  await finish()
  const done = await show(created.id)
  expect(done.status).toBe('Completed')
  expect(done.results).toMatchObject([{ state, problem: 'The batch export has been deleted.' }])
})

test('an export that is paused and edited while its plan runs is repaired by its old windows', async () => {
  const made = await exported(6)
  await fail(made, [1, 2, 4])
  const created = await plan()
  await act(created.id, 'run')
  const url = `/api/projects/@current/batch_exports/${made.id}/`
  await service.request('PATCH', url, { body: { interval: 'day', paused: true } })
  await finish()
  expect((await show(created.id)).results.map(({ state }) => state)).toEqual(['proven', 'proven'])
  const { store } = service.services
  const runs = store.selectFrom('batch_export_runs').select(['data_interval_start', 'data_interval_end'])
  const repaired = await runs
    .where('batch_export_id', '=', made.id)
    .where('origin', '=', 'backfill')
    .orderBy('data_interval_start')
    .execute()
  const first = Math.floor(Date.parse(made.created_at) / hour)
  const hours = repaired.map((run) =>
    [run.data_interval_start, run.data_interval_end].map((at) => at.getTime() / hour - first),
  )
  expect(hours).toEqual([
    [1, 2],
    [2, 3],
    [4, 5],
  ])
  expect((await plan()).windows).toBe(0)
})

test('a plan without windows completes at once', async () => {
  await exported(2)
  const created = await plan()
  expect(created).toMatchObject({ windows: 0, rows_expected: null, results: [], next: null })
  await act(created.id, 'run')
  await finish()
  expect((await show(created.id)).status).toBe('Completed')
})

test('GET /api/projects/:project_id/repair_plans/:id/ returns 200 with the steps in pages', async () => {
  const made = await createExport(service, { interval: 'every 5 minutes' })
  service.clock.advance(250 * 5 * 60_000)
  await tick(service.services)
  await service.services.store
    .updateTable('batch_export_runs')
    .set({ status: 'Completed' })
    .where('batch_export_id', '=', made.id)
    .execute()
  const runs = await service.services.store
    .selectFrom('batch_export_runs')
    .select('id')
    .where('batch_export_id', '=', made.id)
    .orderBy('data_interval_start')
    .execute()
  const failed = runs.filter((_, index) => index % 2 === 1).map(({ id }) => id)
  await service.services.store
    .updateTable('batch_export_runs')
    .set({ status: 'Failed' })
    .where('id', 'in', failed)
    .execute()
  const created = await plan()
  const numbers: number[] = []
  for (let url: string | null = `${path}${created.id}/`; url;) {
    const page: Details = bodyOf(RepairPlanDetails, await service.request('GET', url))
    expect(page.results.length).toBeLessThanOrEqual(100)
    numbers.push(...page.results.map(({ number }) => number))
    url = page.next && new URL(page.next).pathname + new URL(page.next).search
  }
  expect(numbers).toEqual(failed.map((_, index) => index))
})

test('GET /api/projects/:project_id/repair_plans/ returns 200 with the plans of the project, newest first', async () => {
  const first = await plan()
  service.clock.advance(1)
  const second = await plan()
  const elsewhere = `/api/projects/${service.secondProjectId}/repair_plans/`
  expect((await service.request('POST', elsewhere, { body: {} })).status).toBe(201)
  const response = await service.request('GET', path)
  const { results } = bodyOf(RepairPlanList, response)
  expect(results.slice(0, 2).map(({ id }) => id)).toEqual([second.id, first.id])
  expect(bodyOf(RepairPlanList, await service.request('GET', elsewhere)).results).toHaveLength(1)
})

test('a new plan replaces the oldest of 100, unless all are running or stopped midway', async () => {
  const { services, secondProjectId } = service
  const plans = services.store.updateTable('repair_plans').where('project_id', '=', secondProjectId)
  await sql`
    INSERT INTO repair_plans (id, project_id, actor, status, start_at, end_at, rows_counted, created_at)
    SELECT gen_random_uuid(), ${secondProjectId}, number, CASE WHEN number = 1 THEN 'Stopped' ELSE 'Completed' END, now(), now(),
      true, to_timestamp(number) FROM generate_series(1, 105) AS number`.execute(services.store)
  const elsewhere = `/api/projects/${secondProjectId}/repair_plans/`
  const create = () => service.request('POST', elsewhere, { body: {} })
  expect((await create()).status).toBe(201)
  const remaining = services.store
    .selectFrom('repair_plans')
    .select('actor')
    .where('project_id', '=', secondProjectId)
  const actors = await remaining.orderBy('created_at').execute()
  expect(actors).toHaveLength(100)
  expect(actors.slice(0, 2)).toEqual([{ actor: '1' }, { actor: '9' }])
  await plans.set({ status: 'Running' }).execute()
  const refused = await create()
  expect([refused.status, problemOf(refused).detail]).toEqual([
    409,
    expect.stringContaining('100 repair plans of this project are running or stopped'),
  ])
  await plans.set({ status: 'Completed' }).execute()
})

test('a plan that nobody has run is deleted when it is old', async () => {
  const unused = await plan()
  const started = await plan()
  await act(started.id, 'run')
  service.clock.advance(hour)
  const recent = await plan()
  const time = new Date(service.clock.now())
  while ((await deleteUnusedPlans(service.services.store, time)) > 0);
  const statuses = [unused, started, recent].map(
    async ({ id }) => (await service.request('GET', `${path}${id}/`)).status,
  )
  expect(await Promise.all(statuses)).toEqual([404, 200, 200])
})

test.each([
  [
    'an unknown export',
    { batch_export_ids: ['01900000-0000-7000-8000-000000000000'] },
    'object does not exist',
  ],
  ['an export that is no UUID', { batch_export_ids: ['a'] }, 'Invalid pk "a" - object does not exist.'],
  ['no exports', { batch_export_ids: [] }, 'This list may not be empty.'],
  ['an empty period', { start: '2026-03-02', end: '2026-03-01' }, "'end' must be after 'start'."],
  ['a long period', { start: '2020-01-01', end: '2026-03-01' }, 'A plan covers at most 366 days'],
  ['an unknown key', { exports: [] }, '"exports" is not recognised.'],
])('%s is a 400', async (_, body, detail) => {
  const response = await service.request('POST', path, { body })
  expect([response.status, problemOf(response).detail]).toEqual([400, expect.stringContaining(detail)])
})

test.each([2 ** 31, Number.MAX_SAFE_INTEGER])('the step number %s is a 400', async (number) => {
  const { id } = await plan()
  const changed = await service.request('PATCH', `${path}${id}/`, { body: { include: [number] } })
  const run = await service.request('POST', `${path}${id}/run/`, { body: { leave_out: [number] } })
  expect([changed, run].map((response) => [response.status, problemOf(response).attr])).toEqual([
    [400, 'include__0'],
    [400, 'leave_out__0'],
  ])
})

test('an export of another project is unknown', async () => {
  const elsewhere = await createExport(service, {}, `/api/projects/${service.secondProjectId}/batch_exports/`)
  const response = await service.request('POST', path, { body: { batch_export_ids: [elsewhere.id] } })
  expect([response.status, problemOf(response).code]).toEqual([400, 'does_not_exist'])
})
