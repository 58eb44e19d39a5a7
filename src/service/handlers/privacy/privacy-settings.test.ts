import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultPrivacySettings } from '../../../contract/privacy/privacy-settings.ts'
import { createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

const of = '/api/projects/:project_id/privacy_settings'
let service: TestService
let path: string

beforeAll(async () => {
  service = await createTestService()
  path = `/api/projects/${service.own.project_id}/privacy_settings/`
})
afterAll(() => service.stop())

test(`PATCH ${of}/ changes the settings that it contains, GET ${of}/ returns all, and other projects keep theirs`, async () => {
  const changes = {
    ip_addresses: 'truncate',
    masked_texts: ['email'],
    masked_selectors: ['.name, #id'],
    blocked_urls: ['^https://[^/]+/account'],
    event_days: 90,
  }
  await service.request('PATCH', path, { body: changes })
  const changed = await service.request('PATCH', path, { body: { event_days: null } })
  expect(changed.body).toEqual({ ...defaultPrivacySettings, ...changes, event_days: null })
  expect((await service.request('GET', path)).body).toEqual(changed.body)
  const second = `/api/projects/${service.secondProjectId}/privacy_settings/`
  expect((await service.request('GET', second)).body).toEqual(defaultPrivacySettings)
})

test.each([
  [{ ip_addresses: 'hash' }, 'ip_addresses'],
  [{ masked_selectors: ['.a', 'a:hover'] }, 'masked_selectors__1'],
  [{ blocked_selectors: ['.a['] }, 'blocked_selectors__0'],
  [{ blocked_urls: ['('] }, 'blocked_urls__0'],
  [{ event_days: 0 }, 'event_days'],
  [{ run_days: 30 }, 'run_days'],
  [{ log_bytes: 1.5 }, 'log_bytes'],
])('refuses %j', async (body, attr) => {
  const response = await service.request('PATCH', path, { body })
  expect([response.status, problemOf(response).attr]).toEqual([400, attr])
})

test('an address that is to be dropped is not stored', async () => {
  await service.request('PATCH', path, { body: { ip_addresses: 'drop' } })
  const { store, warehouse } = service.services
  const project = await store
    .selectFrom('projects')
    .select('api_token')
    .where('id', '=', service.own.project_id)
    .executeTakeFirstOrThrow()
  // The token follows the events, as posthog-node sends it, in a body that is decoded in a thread.
  for (const [event, padding] of [
    ['small', ''],
    ['large', 'x'.repeat(200_000)],
  ] as const) {
    const batch = [{ event, distinct_id: 'u', properties: { $ip: '203.0.113.77', padding } }]
    const sent = await service.request('POST', '/batch/', {
      body: { batch, api_key: project.api_token },
      key: '',
    })
    expect(sent.status).toBe(200)
  }
  const rows = await warehouse.query(
    `SELECT event, JSONHas(properties, '$ip') AS has FROM events WHERE team_id = {team: Int64} ORDER BY event`,
    { params: { team: service.own.project_id } },
  )
  expect(rows).toEqual([
    { event: 'large', has: 0 },
    { event: 'small', has: 0 },
  ])
})
