import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BatchExport } from '../../contract/exports/batch-export.ts'
import { Incidents, type Incident } from '../../contract/alerts/alert-incident.ts'
import { failureCause } from '../../contract/runs/failure-cause.ts'
import { explainError } from '../destinations/explain-error.ts'
import { s3Driver } from '../destinations/s3/s3-driver.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { createChannel, createRule } from '../testing/test-alerts.ts'
import { createExport, insertRun, ownPrefix, s3Destination } from '../testing/test-rows.ts'
import { bodyOf, createTestService, type TestService } from '../testing/test-service.ts'
import { evaluateRules } from './evaluate-rules.ts'
import { storeHeartbeat } from './alert-loops.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = Date.parse('2026-03-04T10:30:00Z')

let service: TestService
let project: number

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  project = service.own.project_id
})
afterAll(() => service.stop())
beforeEach(async () => {
  const { store } = service.services
  service.clock.set(new Date(start).toISOString())
  for (const table of [
    'incidents',
    'alert_channels',
    'alert_rules',
    'batch_export_ledger',
    'batch_export_runs',
  ] as const)
    await store.deleteFrom(table).execute()
  await store
    .updateTable('batch_exports')
    .set({ deleted_at: new Date(start) })
    .execute()
  const epoch = new Date(0)
  await store
    .updateTable('alert_watch')
    .set({ evaluated_at: epoch, watching_since: epoch, warehouse_at: epoch })
    .execute()
})

/** Evaluates the rules after some time (ms), with a worker alive. */
async function evaluate(later = minute): Promise<Incident[]> {
  service.clock.advance(later)
  await storeHeartbeat(service.services)
  expect(await evaluateRules(service.services)).toEqual({ workerAlive: true })
  return await incidents()
}

async function incidents(): Promise<Incident[]> {
  return bodyOf(Incidents, await service.request('GET', '/api/projects/@current/incidents/')).results
}

async function messages() {
  const rows = await service.services.store
    .selectFrom('alert_deliveries')
    .select(['transition', 'channel_name', 'message'])
    .orderBy('id')
    .execute()
  return rows.map(
    ({ transition, channel_name, message }) => `${transition} ${channel_name}: ${message.title}`,
  )
}

const atPort9 = s3Driver.open({ ...s3Destination.config, endpoint_url: 'http://127.0.0.1:9' })
const refused = explainError(
  Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' }),
  { ...atPort9.explained, hasQuery: false },
).message

/** Inserts the scheduled run of the window that ended `ago` (ms). */
function insertScheduled(made: BatchExport, status: RunRow['status'], ago = 0, values: Partial<RunRow> = {}) {
  const end = Math.floor(service.clock.now() / hour) * hour - ago
  return insertRun(service, made, {
    origin: 'schedule',
    status,
    data_interval_start: new Date(end - hour),
    data_interval_end: new Date(end),
    finished_at: new Date(service.clock.now()),
    ...(status === 'Failed' && { latest_error: refused }),
    ...values,
  })
}

function s3Export(name: string, endpoint_url = 'http://127.0.0.1:9') {
  const { config, ...destination } = ownPrefix()
  return createExport(service, { name, destination: { ...destination, config: { ...config, endpoint_url } } })
}

test('a failed window opens an incident; a completed one, also of a backfill, ends it', async () => {
  const made = await s3Export('Orders')
  await createChannel(service, project)
  await insertScheduled(made, 'Completed', hour)
  expect(await evaluate()).toEqual([])
  await insertScheduled(made, 'Failed')
  const [incident] = await evaluate()
  expect(incident).toMatchObject({
    kind: 'failed',
    status: 'open',
    title: 'Orders fails: http://127.0.0.1:9',
    detail: refused,
    destination: 'http://127.0.0.1:9',
    url: `/exports/${made.id}`,
    exports: [{ id: made.id, name: 'Orders', until: null }],
  })
  await insertScheduled(made, 'Completed', 0, { origin: 'backfill' })
  const [after] = await evaluate()
  expect(after).toMatchObject({ id: incident?.id, status: 'recovered' })
  expect(after?.transitions.map(({ transition }) => transition)).toEqual(['opened', 'recovered'])
  expect(await messages()).toEqual([
    'opened On call: Orders fails: http://127.0.0.1:9',
    'recovered On call: Orders fails: http://127.0.0.1:9',
  ])
})

test('exports with one cause at one destination are one incident, those with another are another', async () => {
  const [one, two, three] = [
    await s3Export('1'),
    await s3Export('2'),
    await s3Export('3', 'http://127.0.0.1:8'),
  ]
  await createChannel(service, project)
  await insertScheduled(one, 'Failed')
  expect(await evaluate()).toHaveLength(1)
  await insertScheduled(two, 'Failed')
  await insertScheduled(three, 'Failed')
  const found = await evaluate()
  expect(found.map(({ title }) => title).sort()).toEqual([
    '2 exports fail: http://127.0.0.1:9',
    '3 fails: http://127.0.0.1:8',
  ])
  // The second export joined the open incident: nobody is notified again.
  expect(await messages()).toEqual([
    'opened On call: 1 fails: http://127.0.0.1:9',
    'opened On call: 3 fails: http://127.0.0.1:8',
  ])
  await insertScheduled(one, 'Completed', 0, { origin: 'retry' })
  const joined = (await evaluate()).find(({ export_count }) => export_count === 2)
  expect(joined).toMatchObject({ status: 'open', title: '2 fails: http://127.0.0.1:9' })
  expect(joined?.exports.map(({ name, until }) => [name, until !== null])).toEqual([
    ['2', false],
    ['1', true],
  ])
})

test('a store that refuses connections at one time and answers with errors at another is one incident', async () => {
  const made = await s3Export('Orders')
  await createChannel(service, project)
  const unavailable = 'The store at http://127.0.0.1:9 is not available at the moment. (ServiceUnavailable)'
  for (const latest_error of [refused, unavailable, refused]) {
    await insertScheduled(made, 'Failed', 0, { latest_error, origin: 'retry' })
    expect((await evaluate()).map(({ status }) => status)).toEqual(['open'])
  }
  expect(await messages()).toEqual(['opened On call: Orders fails: http://127.0.0.1:9'])
})

test('when an export fails for another reason, the message about the former one does not say that it works', async () => {
  const made = await s3Export('Orders')
  await createChannel(service, project)
  await insertScheduled(made, 'Failed')
  await evaluate()
  await insertScheduled(made, 'Failed', 0, { latest_error: 'The disk is full.', origin: 'retry' })
  expect((await evaluate()).map(({ status }) => status).sort()).toEqual(['open', 'recovered'])
  const { message } = await service.services.store
    .selectFrom('alert_deliveries')
    .select('message')
    .where('transition', '=', 'recovered')
    .executeTakeFirstOrThrow()
  expect(message.detail).toBe(
    'The problem has another cause or destination now, and continues as another incident.',
  )
})

test('an edit of the destination changes no incident before the next run', async () => {
  const made = await s3Export('Orders')
  await createChannel(service, project)
  const { key } = failureCause(refused, made.destination)
  await insertScheduled(made, 'Failed', 0, { failure_cause: key })
  const [opened] = await evaluate()
  const { config } = ownPrefix()
  const body = { destination: { type: 'S3', config: { ...config, endpoint_url: 'http://127.0.0.1:8' } } }
  const edited = await service.request('PATCH', `/api/projects/@current/batch_exports/${made.id}/`, { body })
  expect(edited.status).toBe(200)
  expect(await evaluate()).toMatchObject([
    { id: opened?.id, status: 'open', destination: 'http://127.0.0.1:9' },
  ])
  await insertScheduled(made, 'Completed', 0, { origin: 'backfill' })
  expect(await evaluate()).toMatchObject([{ id: opened?.id, status: 'recovered' }])
  expect(await messages()).toEqual([
    'opened On call: Orders fails: http://127.0.0.1:9',
    'recovered On call: Orders fails: http://127.0.0.1:9',
  ])
})

test('an export that a user paused opens no incident, one that paused itself opens two', async () => {
  const user = await s3Export('By a user')
  const itself = await s3Export('By itself')
  for (const made of [user, itself]) {
    await insertScheduled(made, 'Failed')
    await service.services.store
      .updateTable('batch_exports')
      .set({
        paused: true,
        last_paused_at: new Date(start),
        ...(made === itself && { paused_because: '10 of its last 10 scheduled runs failed.' }),
      })
      .where('id', '=', made.id)
      .execute()
  }
  const found = await evaluate()
  expect(found.map(({ kind, title }) => [kind, title]).sort()).toEqual([
    ['failed', 'By itself fails: http://127.0.0.1:9'],
    ['paused', 'By itself was paused automatically: http://127.0.0.1:9'],
  ])
  await service.request('POST', `/api/projects/@current/batch_exports/${itself.id}/unpause/`)
  const after = await evaluate()
  expect(after.find(({ kind }) => kind === 'paused')?.status).toBe('recovered')
})

test('a window is late after twice the p99 of the durations, or after one interval with fewer than 20 runs', async () => {
  const known = await createExport(service, { name: 'Known' })
  const young = await createExport(service, { name: 'Young' })
  const minutes = (count: number) => count * minute
  for (let ago = 1; ago <= 20; ago += 1)
    await insertScheduled(known, 'Completed', ago * hour, {
      started_at: new Date(start - ago * hour),
      finished_at: new Date(start - ago * hour + minutes(ago === 1 ? 10 : 1)),
    })
  for (const made of [known, young]) {
    await insertScheduled(made, 'Running', 0, { finished_at: null })
    await moveCursor(made, start)
  }
  const late = async (after: number) => {
    service.clock.set(new Date(Date.parse('2026-03-04T10:00:00Z') + after - minute).toISOString())
    const found = await evaluate()
    return found.flatMap(({ exports }) => exports.map(({ name }) => name))
  }
  // The window ended at 10:00, and the p99 is 10 minutes.
  expect(await late(minutes(19))).toEqual([])
  expect(await late(minutes(21))).toEqual(['Known'])
  expect((await incidents())[0]?.detail).toBe(
    'The window that ended at 2026-03-04T10:00:00Z is not at the destination.',
  )
  expect(await late(minutes(59))).toEqual(['Known'])
  expect(await late(minutes(61))).toEqual(['Known', 'Young'])
})

test('a window with a history is never late within 15 minutes, but a rule of the export can say so', async () => {
  const made = await createExport(service, { interval: 'every 5 minutes' })
  for (let ago = 1; ago <= 20; ago += 1)
    await insertScheduled(made, 'Completed', ago * hour, { started_at: new Date(service.clock.now()) })
  await insertScheduled(made, 'FailedRetryable', 0, { finished_at: null })
  await moveCursor(made, start + hour)
  service.clock.set('2026-03-04T10:13:00Z')
  expect(await evaluate()).toEqual([])
  await createRule(service, project, {
    kind: 'late',
    level: 'export',
    batch_export: made.id,
    late_minutes: 10,
  })
  expect((await evaluate()).map(({ kind }) => kind)).toEqual(['late'])
})

test('a window of a young export that runs every 5 minutes is late after 5 minutes', async () => {
  const made = await createExport(service, { interval: 'every 5 minutes' })
  await insertScheduled(made, 'Running', 0, { finished_at: null })
  await moveCursor(made, start + hour)
  service.clock.set('2026-03-04T10:03:00Z')
  expect(await evaluate()).toEqual([])
  expect((await evaluate(2 * minute)).map(({ kind }) => kind)).toEqual(['late'])
})

test('a late window that fails in the end stays late until it is exported', async () => {
  const made = await s3Export('Orders')
  const run = await insertScheduled(made, 'Running', 0, { finished_at: null })
  await moveCursor(made, start + day)
  expect((await evaluate(hour)).map(({ kind }) => kind)).toEqual(['late'])
  const { store } = service.services
  const end = { status: 'Failed' as const, latest_error: refused, finished_at: new Date(service.clock.now()) }
  await store.updateTable('batch_export_runs').set(end).where('id', '=', run.id).execute()
  const both = await evaluate()
  expect(both.map(({ kind, status }) => [kind, status])).toEqual([
    ['failed', 'open'],
    ['late', 'open'],
  ])
  await insertRun(service, made, { ...pickWindow(run), status: 'Completed', origin: 'retry' })
  expect((await evaluate()).map(({ status }) => status)).toEqual(['recovered', 'recovered'])
})

test('a window whose run was never created is late, too', async () => {
  const made = await createExport(service, { name: 'Forgotten' })
  expect(await evaluate(hour)).toEqual([])
  expect((await evaluate(hour)).map(({ title }) => title)).toEqual(['Forgotten is late: exports folder'])
  await moveCursor(made, service.clock.now() + day)
  expect((await evaluate()).map(({ status }) => status)).toEqual(['recovered'])
})

test('an incident stays open although the name of its place is cut within a character', async () => {
  await createExport(service, {
    destination: {
      ...s3Destination,
      config: {
        ...s3Destination.config,
        bucket_name: `${'b'.repeat(179)}\u{1f600}`,
        endpoint_url: 'http://127.0.0.1:9',
      },
    },
  })
  await evaluate(3 * hour)
  await evaluate()
  const found = await evaluate()
  expect(found.map(({ transitions }) => transitions.map(({ transition }) => transition))).toEqual([
    ['opened'],
  ])
})

test('a window with fewer rows at the destination, and one with an unusual volume, open incidents', async () => {
  const short = await createExport(service, { name: 'Short' })
  const unusual = await createExport(service, { name: 'Odd' })
  const window = (made: BatchExport, ago: number, values: object = {}) => recordWindow(made, ago, values)
  await window(short, 2 * hour, { rows_read: 90 })
  await window(short, hour)
  for (const weeks of [1, 2, 3, 4]) await window(unusual, hour + weeks * 7 * day, { rows_written: 1000 })
  await window(unusual, hour, { rows_written: 100 })
  for (const made of [short, unusual]) await moveCursor(made, start + 30 * day)
  const found = await evaluate()
  expect(found.map(({ kind, detail }) => [kind, detail]).sort()).toEqual([
    [
      'short',
      'A window has fewer rows at the destination than they should, the newest from 2026-03-04T07:00:00Z.',
    ],
    [
      'unusual',
      'The window from 2026-03-04T08:00:00Z has 100 rows; at this hour of the week, 1,000 are usual.',
    ],
  ])
  await service.services.store.updateTable('batch_export_ledger').set({ rows_read: null }).execute()
  await window(unusual, 0, { rows_written: 900 })
  expect((await evaluate(minute)).every(({ status }) => status === 'open')).toBe(true)
  const later = await evaluate(5 * minute)
  expect(later.map(({ status }) => status)).toEqual(['recovered', 'recovered'])
})

test('the absence of workers is noticed while the rules are evaluated, not after a break of the service', async () => {
  await createExport(service)
  const alone = async (later: number) => {
    service.clock.advance(later)
    return [
      await evaluateRules(service.services),
      (await incidents()).map(({ kind, status }) => `${kind} ${status}`),
    ]
  }
  await storeHeartbeat(service.services)
  expect(await alone(minute)).toEqual([{ workerAlive: true }, []])
  // The whole service was off for an hour: its worker may just be starting.
  expect(await alone(hour)).toEqual([{ workerAlive: false }, []])
  expect(await alone(minute)).toEqual([{ workerAlive: false }, []])
  expect(await alone(2 * minute)).toEqual([{ workerAlive: false }, ['no_worker open']])
  expect((await evaluate()).map(({ status }) => status)).toEqual(['recovered'])
})

test('reminders come at the interval of the rule, unless somebody acknowledged or muted the incident', async () => {
  const made = await s3Export('Orders')
  await createChannel(service, project)
  await createRule(service, project, { kind: 'failed', remind_minutes: 60 })
  await insertScheduled(made, 'Failed')
  const [incident] = await evaluate()
  const reminders = async () => {
    const delivered = { status: 'delivered' as const, next_attempt_at: null }
    await service.services.store.updateTable('alert_deliveries').set(delivered).execute()
    await evaluate(hour - minute)
    await evaluate()
    return (await messages()).filter((text) => text.startsWith('reminded')).length
  }
  const act = (action: string, body: object) =>
    service.request('POST', `/api/projects/@current/incidents/${incident?.id}/${action}/`, { body })
  expect(await reminders()).toBe(1)
  await act('acknowledge', {})
  expect(await reminders()).toBe(1)
  await act('acknowledge', { acknowledged: false })
  await act('mute', { until: new Date(service.clock.now() + hour + minute).toISOString() })
  expect(await reminders()).toBe(1)
  expect(await reminders()).toBe(2)
})

test('a reminder says what is wrong now', async () => {
  const made = await s3Export('Orders')
  await createChannel(service, project)
  await createRule(service, project, { kind: 'late', enabled: false })
  await recordWindow(made, 0, { rows_read: 90 })
  await evaluate()
  const delivered = { status: 'delivered' as const, next_attempt_at: null }
  await service.services.store.updateTable('alert_deliveries').set(delivered).execute()
  await recordWindow(made, hour, { rows_read: 90 })
  await evaluate(day)
  const deliveries = await service.services.store
    .selectFrom('alert_deliveries')
    .select(['transition', 'message'])
    .orderBy('id')
    .execute()
  expect(deliveries.map(({ transition, message }) => [transition, message.detail.slice(0, 28)])).toEqual([
    ['opened', 'A window has fewer rows at t'],
    ['reminded', '2 windows have fewer rows at'],
  ])
})

test('messages go to the channels of the rule, and a recovery to those that were notified', async () => {
  const made = await s3Export('Orders')
  const first = await createChannel(service, project, { name: 'First' })
  await createChannel(service, project, { name: 'Second' })
  await createChannel(service, service.secondProjectId, { name: 'Elsewhere' })
  await createRule(service, project, {
    kind: 'failed',
    level: 'export',
    batch_export: made.id,
    channels: [first.id],
  })
  await insertScheduled(made, 'Failed')
  await evaluate()
  await service.services.store.deleteFrom('alert_rules').execute()
  await insertScheduled(made, 'Completed', 0, { origin: 'retry' })
  await evaluate()
  expect((await messages()).map((text) => text.replace(/:.*/, ''))).toEqual([
    'opened First',
    'recovered First',
  ])
})

test('an incident whose exports are deleted ends, and says so instead of counting no exports', async () => {
  const [one, two] = [await s3Export('Orders'), await s3Export('Customers')]
  const remove = ({ id }: BatchExport) =>
    service.request('DELETE', `/api/projects/@current/batch_exports/${id}/`)
  await createChannel(service, project)
  await insertScheduled(one, 'Failed')
  await insertScheduled(two, 'Failed')
  await evaluate()
  await remove(one)
  const [left] = await evaluate()
  expect([left?.title, left?.export_count]).toEqual(['Customers fails: http://127.0.0.1:9', 1])
  await remove(two)
  const [gone] = await incidents()
  expect([gone?.status, gone?.title]).toEqual(['open', 'Customers fails: http://127.0.0.1:9'])
  expect((await evaluate()).map(({ status, url }) => [status, url])).toEqual([
    ['recovered', '/settings/history'],
  ])
  const { message } = await service.services.store
    .selectFrom('alert_deliveries')
    .select('message')
    .where('transition', '=', 'recovered')
    .executeTakeFirstOrThrow()
  expect(message).toMatchObject({
    title: '2 exports fail: http://127.0.0.1:9',
    detail: 'The exports were deleted.',
    path: '/settings/history',
  })
})

test('a rule that is off opens nothing, and ends an incident without a message', async () => {
  const made = await s3Export('Orders')
  await createChannel(service, project)
  await insertScheduled(made, 'Failed')
  await evaluate()
  await createRule(service, project, { kind: 'failed', level: 'organization', enabled: false })
  expect((await evaluate()).map(({ status }) => status)).toEqual(['recovered'])
  await createRule(service, project, { kind: 'failed' })
  expect((await evaluate()).map(({ status }) => status)).toEqual(['open', 'recovered'])
  expect((await messages()).map((text) => text.split(' ')[0])).toEqual(['opened', 'opened'])
})

function pickWindow({ data_interval_start, data_interval_end }: RunRow) {
  return { data_interval_start, data_interval_end }
}

/** Moves the schedule's cursor to the window of a time. */
async function moveCursor({ id }: BatchExport, time: number): Promise<void> {
  const scheduled_until = new Date(Math.floor(time / hour) * hour)
  await service.services.store
    .updateTable('batch_exports')
    .set({ scheduled_until })
    .where('id', '=', id)
    .execute()
}

/** Records the window that ended `ago` (ms) before the full hour, with 100 rows. */
async function recordWindow(made: BatchExport, ago: number, values: object): Promise<void> {
  const end = Math.floor(service.clock.now() / hour) * hour - ago
  await service.services.store
    .insertInto('batch_export_ledger')
    .values({
      batch_export_id: made.id,
      data_interval_start: new Date(end - hour),
      data_interval_end: new Date(end),
      run_id: crypto.randomUUID(),
      selects_by: 'arrival',
      taken_until: new Date(end),
      settings: '{}',
      rows_expected: 100,
      rows_written: 100,
      objects: '[]',
      written_at: new Date(end),
      ...values,
    })
    .execute()
}
