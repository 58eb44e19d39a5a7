import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { AlertDelivery } from '../../../contract/alerts/alert-delivery.ts'
import { Incident, Incidents } from '../../../contract/alerts/alert-incident.ts'
import { offsetPage } from '../../../contract/page.ts'
import { insertDeliveries } from '../../store/alerts/alert-deliveries.ts'
import { newId } from '../../store/schema/identifier.ts'
import { createChannel, insertIncident } from '../../testing/test-alerts.ts'
import { createExport } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
let project: number
let made: BatchExport

const path = '/api/projects/@current/incidents/'
const now = '2026-03-04T10:30:00Z'

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  project = service.own.project_id
  made = await createExport(service, { name: 'Orders' })
})
afterAll(() => service.stop())
beforeEach(async () => {
  service.clock.set(now)
  await service.services.store.deleteFrom('incidents').execute()
})

async function list(query = '') {
  const response = await service.request('GET', `${path}${query}`)
  expect(response.status, response.text).toBe(200)
  return bodyOf(Incidents, response)
}

test('GET /api/projects/:project_id/incidents/ returns 200 with the incidents, newest first, and how many are open', async () => {
  const first = await insertIncident(service, project, [made.id])
  service.clock.advance(60_000)
  const second = await insertIncident(service, project, [], {
    kind: 'no_worker',
    destination: '',
    recovered_at: new Date(service.clock.now()),
  })
  const other = await insertIncident(service, service.secondProjectId)
  const page = await list()
  expect([page.count, page.open, page.results.map(({ id }) => id)]).toEqual([2, 1, [second.id, first.id]])
  expect(page.results[1]).toEqual({
    id: first.id,
    kind: 'failed',
    status: 'open',
    title: 'Orders fails: s3://reports',
    detail: 'The store refused the connection.',
    destination: 's3://reports',
    url: `/exports/${made.id}`,
    exports: [{ id: made.id, name: 'Orders', since: now, until: null }],
    export_count: 1,
    opened_at: now,
    recovered_at: null,
    acknowledged: null,
    muted: null,
    transitions: [{ transition: 'opened', at: now }],
    last_updated_at: now,
  })
  const ids = async (query: string) => (await list(query)).results.map(({ id }) => id)
  expect(await ids('?status=open')).toEqual([first.id])
  expect(await ids('?status=recovered')).toEqual([second.id])
  expect(await ids('?kind=no_worker')).toEqual([second.id])
  expect(await ids(`?batch_export=${made.id}`)).toEqual([first.id])
  expect(await ids('?limit=1&offset=1')).toEqual([first.id])
  expect(await ids('?since=2026-03-04T10:31:00Z')).toEqual([second.id])
  expect(await ids('')).not.toContain(other.id)
})

test('a browser that polls with next_since misses no change', async () => {
  await insertIncident(service, project)
  const { next_since } = await list()
  service.clock.advance(1000)
  const second = await insertIncident(service, project)
  const page = await list(`?since=${next_since}`)
  expect(page.results.map(({ id }) => id)).toContain(second.id)
  service.clock.advance(60_000)
  const quiet = await list(`?since=${(await list()).next_since}`)
  expect([quiet.results, quiet.open]).toEqual([[], 2])
})

test('an incident lists the first 100 of its exports, those still affected first', async () => {
  const others = await sql<{ id: string }>`
    INSERT INTO batch_exports
    SELECT (jsonb_populate_record(made, jsonb_build_object('id', gen_random_uuid()))).*
    FROM batch_exports made, generate_series(1, 104) WHERE id = ${made.id} RETURNING id`.execute(
    service.services.store,
  )
  const incident = await insertIncident(service, project, [made.id, ...others.rows.map(({ id }) => id)])
  await service.services.store
    .updateTable('incident_exports')
    .set({ until: new Date(service.clock.now()) })
    .where('batch_export_id', '=', made.id)
    .execute()
  const shown = bodyOf(Incident, await service.request('GET', `${path}${incident.id}/`))
  expect([shown.export_count, shown.exports.length, shown.title, shown.url]).toEqual([
    105,
    100,
    '104 exports fail: s3://reports',
    '/repair',
  ])
  expect(shown.exports.every(({ until }) => until === null)).toBe(true)
})

test('GET /api/projects/:project_id/incidents/:id/ returns 200; POST /api/projects/:project_id/incidents/:id/acknowledge/ returns 200, names the key, and can be taken back', async () => {
  const { id } = await insertIncident(service, project)
  const acknowledge = (body: object) => service.request('POST', `${path}${id}/acknowledge/`, { body })
  const first = await acknowledge({})
  expect(first.status, first.text).toBe(200)
  expect(bodyOf(Incident, first).acknowledged).toEqual({ by: 'Own key', at: now })
  service.clock.advance(60_000)
  expect((await acknowledge({ acknowledged: true })).body).toEqual(first.body)
  expect(bodyOf(Incident, await acknowledge({ acknowledged: false })).acknowledged).toBeNull()
  const one = await service.request('GET', `${path}${id}/`)
  expect(bodyOf(Incident, one)).toMatchObject({ acknowledged: null, last_updated_at: '2026-03-04T10:31:00Z' })
})

test('POST /api/projects/:project_id/incidents/:id/mute/ returns 200 with the end of the mute, which lies ahead', async () => {
  const { id } = await insertIncident(service, project)
  const mute = (until: unknown) => service.request('POST', `${path}${id}/mute/`, { body: { until } })
  const muted = await mute('2026-03-04T14:00:00+02:00')
  expect(bodyOf(Incident, muted).muted).toEqual({ by: 'Own key', until: '2026-03-04T12:00:00Z' })
  expect(bodyOf(Incident, await mute(null)).muted).toBeNull()
  for (const [until, detail] of [
    [now, 'The mute must end in the future.'],
    ['2028-01-01', 'The mute must end within a year.'],
    ['soon', 'Datetime has wrong format. Use ISO 8601, for example 2026-01-31T09:00:00Z.'],
  ]) {
    const response = await mute(until)
    expect([response.status, problemOf(response).attr, problemOf(response).detail]).toEqual([
      400,
      'until',
      detail,
    ])
  }
})

test('a recovered incident can be neither acknowledged nor muted: 409', async () => {
  const { id } = await insertIncident(service, project, [], { recovered_at: new Date(service.clock.now()) })
  for (const [action, body] of [
    ['acknowledge', {}],
    ['acknowledge', { acknowledged: false }],
    ['mute', { until: '2026-03-05' }],
  ] as const) {
    const response = await service.request('POST', `${path}${id}/${action}/`, { body })
    expect([response.status, problemOf(response).code]).toEqual([409, 'conflict'])
  }
})

test('a key without session_recording:read learns nothing of incidents about captured events and recorded errors', async () => {
  const error = await insertIncident(service, project, [], { kind: 'error', detail: 'a recorded text' })
  const silent = await insertIncident(service, project, [], { kind: 'silent' })
  const channel = await createChannel(service, project)
  const { store } = service.services
  for (const incident of [error, silent])
    await insertDeliveries(store, [
      {
        id: newId(service.clock.now()),
        project_id: project,
        channel_id: channel.id,
        channel_name: 'On call',
        channel_type: 'webhook',
        incident_id: incident.id,
        transition_id: null,
        transition: 'opened',
        message: {
          title: 'a recorded text',
          detail: '',
          project: { id: project, name: 'Own project' },
          incident: null,
          path: '/',
          at: now,
        },
        created_at: new Date(service.clock.now()),
      },
    ])
  service.clock.advance(60_000)
  const seen = async (key: string) => {
    const get = async (url: string) =>
      (await service.request('GET', `/api/projects/@current/${url}`, { key })).text
    const overview = await get('batch_exports/overview/')
    const listed = await get('incidents/')
    const deliveries = await get(`alert_channels/${channel.id}/deliveries/`)
    return [
      JSON.parse(overview).incidents,
      [JSON.parse(listed).count, JSON.parse(listed).open, JSON.parse(deliveries).count],
      [overview, listed, deliveries].some((text) => text.includes('a recorded text')),
    ]
  }
  const changed_at = now
  expect(
    await seen(await service.newKey({ scopes: ['batch_export:read', 'session_recording:read'] })),
  ).toEqual([{ open: 2, changed_at }, [2, 2, 2], true])
  const limited = await service.newKey({ scopes: ['batch_export:write'] })
  expect(await seen(limited)).toEqual([{ open: 0, changed_at: null }, [0, 0, 0], false])
  for (const { id } of [error, silent])
    for (const [method, action] of [
      ['GET', ''],
      ['GET', 'deliveries/'],
      ['POST', 'acknowledge/'],
    ] as const)
      expect((await service.request(method, `${path}${id}/${action}`, { key: limited })).status).toBe(404)
})

test('GET /api/projects/:project_id/incidents/:id/deliveries/ returns 200 with the messages about the incident', async () => {
  const { id } = await insertIncident(service, project)
  const response = await service.request('GET', `${path}${id}/deliveries/`)
  expect([response.status, bodyOf(offsetPage(AlertDelivery), response).count]).toEqual([200, 0])
})
