import { afterAll, beforeAll, expect, test } from 'vitest'
import { alertKinds, AlertRule } from '../../../contract/alerts/alert-rule.ts'
import { offsetPage } from '../../../contract/page.ts'
import { createChannel, createRule } from '../../testing/test-alerts.ts'
import { createExport } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
let project: number

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  project = service.own.project_id
})
afterAll(() => service.stop())

const path = '/api/projects/@current/alert_rules/'

async function list(projectId: number) {
  const response = await service.request('GET', `/api/projects/${projectId}/alert_rules/`)
  expect(response.status, response.text).toBe(200)
  return bodyOf(offsetPage(AlertRule), response).results
}

async function refused(body: object, key?: string) {
  const response = await service.request('POST', path, { body, ...(key && { key }) })
  return [response.status, problemOf(response).attr, problemOf(response).detail]
}

test('GET /api/projects/:project_id/alert_rules/ returns 200 with a rule of each kind that nobody created', async () => {
  const rules = await list(service.secondProjectId)
  expect(rules.map(({ kind, level, id, enabled }) => [kind, level, id, enabled])).toEqual(
    alertKinds.map((kind) => [kind, 'default', null, true]),
  )
  const short = await service.request('GET', `${path}?limit=3&offset=6`)
  expect(bodyOf(offsetPage(AlertRule), short)).toMatchObject({ count: 8, next: null, results: [{}, {}] })
})

test('POST /api/projects/:project_id/alert_rules/ returns 201 and replaces a default for an export, the project or the organization', async () => {
  const made = await createExport(service)
  const channel = await createChannel(service, project)
  const own = await createRule(service, project, {
    kind: 'late',
    level: 'export',
    batch_export: made.id,
    late_minutes: 5,
    channels: [channel.id],
  })
  const wide = await createRule(service, project, { kind: 'late', level: 'organization', enabled: false })
  expect(own).toMatchObject({
    kind: 'late',
    level: 'export',
    batch_export: { id: made.id, name: 'Daily events' },
    enabled: true,
    late_minutes: 5,
    remind_minutes: 1440,
    channels: [channel.id],
    by: 'Own key',
  })
  const late = (rules: AlertRule[]) => rules.filter(({ kind }) => kind === 'late').map(({ id }) => id)
  expect(late(await list(project))).toEqual([null, wide.id, own.id])
  expect(late(await list(service.secondProjectId))).toEqual([null, wide.id])
  expect(await refused({ kind: 'late', level: 'organization' })).toEqual([
    409,
    null,
    'This rule already exists: change it instead.',
  ])
})

test('a rule names only exports and channels of its project', async () => {
  const elsewhere = `/api/projects/${service.secondProjectId}/batch_exports/`
  const foreign = await createExport(service, {}, elsewhere)
  const channel = await createChannel(service, service.secondProjectId)
  const missing = (id: string) => `Invalid pk "${id}" - object does not exist.`
  const ofExport = { kind: 'failed', level: 'export', batch_export: foreign.id }
  expect(await refused(ofExport)).toEqual([400, 'batch_export', missing(foreign.id)])
  for (const id of [channel.id, 'x', "'; DROP TABLE alert_rules"])
    expect(await refused({ kind: 'failed', channels: [id] })).toEqual([400, 'channels__0', missing(id)])
})

test.each([
  [{ kind: 'loud' }, 'kind', '"loud" is not a valid choice.'],
  [{ kind: 'failed', color: 'red' }, 'color', '"color" is not recognised.'],
  [{ kind: 'failed', level: 'default' }, 'level', '"default" is not a valid choice.'],
  [
    { kind: 'failed', level: 'export' },
    'batch_export',
    "'batch_export' is required for level 'export', and only allowed there.",
  ],
  [{ kind: 'failed', late_minutes: 3 }, 'late_minutes', "Only a rule of the kind 'late' has late_minutes."],
  [
    { kind: 'failed', remind_minutes: 14 },
    'remind_minutes',
    'Ensure this value is 0, for no reminders, or at least 15.',
  ],
  [
    { kind: 'silent', level: 'export', batch_export: 'x' },
    'level',
    'A rule of this kind applies to a whole project, not to an export.',
  ],
  [
    { kind: 'failed', level: 'organization', channels: [] },
    'channels',
    'A rule of the organization uses all channels of each project: send null.',
  ],
])('a rule %j is refused', async (body, attr, detail) => {
  expect(await refused(body)).toEqual([400, attr, detail])
})

test('a key that is limited to a project cannot change a rule of the organization', async () => {
  const key = await service.newKey({ projects: [project] })
  const wide = await createRule(service, project, { kind: 'silent', level: 'organization' })
  const detail = 'A key limited to some projects cannot change a rule of the whole organization.'
  expect(await refused({ kind: 'error', level: 'organization' }, key)).toEqual([403, null, detail])
  const url = `${path}${wide.id}/`
  for (const method of ['PATCH', 'DELETE']) {
    const response = await service.request(method, url, { key, body: { enabled: false } })
    expect([response.status, problemOf(response).detail]).toEqual([403, detail])
  }
  expect((await service.request('GET', url, { key })).status).toBe(200)
})

test('a rule that was stored with less than 15 minutes between reminders has 15, and can be changed', async () => {
  const { id } = await createRule(service, project, { kind: 'unusual', remind_minutes: 15 })
  await service.services.store
    .updateTable('alert_rules')
    .set({ remind_minutes: 1 })
    .where('id', '=', id)
    .execute()
  const { remind_minutes } = bodyOf(AlertRule, await service.request('GET', `${path}${id}/`))
  expect(remind_minutes).toBe(15)
  const change = (minutes: number) =>
    service.request('PATCH', `${path}${id}/`, { body: { remind_minutes: minutes } })
  expect((await change(remind_minutes)).status).toBe(200)
  expect((await change(0)).body).toMatchObject({ remind_minutes: 0 })
  expect((await change(1)).status).toBe(400)
})

test('GET /api/projects/:project_id/alert_rules/:id/ and PATCH /api/projects/:project_id/alert_rules/:id/ return 200 and a change is partial; DELETE /api/projects/:project_id/alert_rules/:id/ returns 204 and restores the default', async () => {
  const rule = await createRule(service, service.secondProjectId, { kind: 'paused', remind_minutes: 60 })
  const url = `/api/projects/${service.secondProjectId}/alert_rules/${rule.id}/`
  const changed = await service.request('PATCH', url, { body: { enabled: false } })
  expect([changed.status, changed.body]).toEqual([
    200,
    { ...rule, enabled: false, last_updated_at: expect.any(String) },
  ])
  expect((await service.request('GET', url)).body).toEqual(changed.body)
  const empty = await service.request('PATCH', url, { body: {} })
  expect(problemOf(empty).detail).toMatch('Nothing to update')
  expect((await service.request('DELETE', url)).status).toBe(204)
  expect((await service.request('GET', url)).status).toBe(404)
  const paused = (await list(service.secondProjectId)).filter(({ kind }) => kind === 'paused')
  expect(paused.map(({ level }) => level)).toEqual(['default'])
})
