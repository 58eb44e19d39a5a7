import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultPrivacySettings } from '../../../contract/privacy/privacy-settings.ts'
import { EventType, mutation } from '../../../replay/recorded/rrweb.ts'
import { blockFolder, readBlock } from '../../snapshots/blocks.ts'
import { findRow } from '../../store/schema/rows.ts'
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
  [{ masked_patterns: ['a{3}', '(a+)+b'] }, 'masked_patterns__1'],
  [{ blocked_selectors: ['.a['] }, 'blocked_selectors__0'],
  [{ blocked_urls: ['('] }, 'blocked_urls__0'],
  [{ event_days: 0 }, 'event_days'],
  [{ run_days: 30 }, 'run_days'],
  [{ log_bytes: 1.5 }, 'log_bytes'],
])('refuses %j', async (body, attr) => {
  const response = await service.request('PATCH', path, { body })
  expect([response.status, problemOf(response).attr]).toEqual([400, attr])
})

async function ownToken(): Promise<string> {
  const project = await findRow(service.services.store, 'projects', { id: service.own.project_id })
  return project?.api_token ?? ''
}

test('an address that is to be dropped is not stored', async () => {
  await service.request('PATCH', path, { body: { ip_addresses: 'drop' } })
  const { warehouse } = service.services
  const api_key = await ownToken()
  // The token follows the events, as posthog-node sends it, in a body that is decoded in a thread.
  for (const [event, padding] of [
    ['small', ''],
    ['large', 'x'.repeat(200_000)],
  ] as const) {
    const batch = [{ event, distinct_id: 'u', properties: { $ip: '203.0.113.77', padding } }]
    const sent = await service.request('POST', '/batch/', {
      body: { batch, api_key },
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

test('nothing that rules mask in a recording reaches the disk, also of changes in later requests', async () => {
  await service.request('PATCH', path, {
    body: { masked_texts: ['email'], masked_patterns: ['EMP-\\d{4}'], masked_selectors: ['.name'] },
  })
  service.clock.advance(60_000)
  const { clock, objects } = service.services
  const text = { type: 3, id: 3, textContent: 'Lovelace' }
  const box = { type: 2, id: 2, tagName: 'p', attributes: { class: 'name' }, childNodes: [text] }
  const said = { type: 3, id: 4, textContent: 'ada@example.com' }
  const node = { type: 0, id: 1, childNodes: [box, said] }
  const timestamp = clock.now()
  const token = await ownToken()
  const send = (event: unknown, of = { event: '$snapshot' }) => {
    const properties = { $session_id: 'masked', $window_id: 'w', $snapshot_data: [event], token }
    return service.request('POST', '/s/', { body: { ...of, distinct_id: 'u', properties }, key: '' })
  }
  const texts = [
    { id: 3, value: 'Lovelace' },
    { id: 4, value: 'EMP-1234 was here' },
  ]
  for (const event of [
    { type: EventType.FullSnapshot, timestamp, data: { node, initialOffset: { top: 0, left: 0 } } },
    mutation(timestamp + 1, { texts }),
    {
      type: EventType.Plugin,
      timestamp,
      data: { plugin: 'rrweb/console@1', payload: { payload: ['"EMP-1234"'] } },
    },
  ])
    expect((await send(event)).status).toBe(200)
  // The page of a refused request is not known.
  expect((await send('not an event', { event: '' })).status).toBe(400)
  expect((await send(mutation(timestamp + 2, { texts: [{ id: 4, value: 'Hopper' }] }))).status).toBe(200)
  const keys = await objects.list(blockFolder(service.own.project_id, 'masked'))
  const stored = (await Promise.all(keys.map(async (key) => String(await readBlock(objects, key))))).join()
  expect(stored).toContain('was here')
  expect(stored).not.toMatch(/Lovelace|Hopper|ada@example|EMP-/)
})
