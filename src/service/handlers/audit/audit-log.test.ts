import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AuditEntry } from '../../../contract/audit/audit-entry.ts'
import { AuditSettings, UpdatedAuditSettings } from '../../../contract/audit/audit-settings.ts'
import { CreatedPersonalApiKey } from '../../../contract/accounts/api-key.ts'
import { cursorPage } from '../../../contract/page.ts'
import { EventType } from '../../../replay/recorded/rrweb.ts'
import { hashedPerson } from '../../audit/chain.ts'
import { audit } from '../../store/audit/audit-entries.ts'
import { continueBulkAction } from '../../bulk/run-bulk-actions.ts'
import { updateRows } from '../../store/schema/rows.ts'
import { connectionConfigs, createIntegration } from '../../testing/test-integrations.ts'
import { insertMember, insertSession } from '../../testing/test-members.ts'
import { insertBlock, insertRecording } from '../../testing/test-recordings.ts'
import { createExport } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
const log = '/api/organizations/@current/audit_log/'
const exports = '/api/projects/@current/batch_exports/'
const keys = '/api/personal_api_keys/'

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
})
afterAll(() => service.stop())

async function list(query = '', key?: string): Promise<AuditEntry[]> {
  const response = await service.request('GET', `${log}?${query}`, key === undefined ? {} : { key })
  expect(response.status, response.text).toBe(200)
  return bodyOf(cursorPage(AuditEntry), response).results
}

test('GET /api/organizations/:organization_id/audit_log/ returns 200 with who did what, newest first', async () => {
  const made = await createExport(service, { name: 'Orders' })
  service.clock.advance(1000)
  const headers = { 'x-request-id': 'pause-1' }
  await service.request('POST', `${exports}${made.id}/pause/`, { body: { reason: 'A move' }, headers })
  const [paused, created] = await list(`object=${made.id}`)
  expect(paused).toMatchObject({
    project: service.own.project_id,
    action: 'export.paused',
    actor: { kind: 'key', name: 'Own key' },
    address: '127.0.0.1',
    object: { type: 'export', id: made.id, name: 'Orders' },
    before: { paused: false },
    after: { paused: true, pause_reason: 'A move' },
    request_id: 'pause-1',
    seal: null,
  })
  expect(created).toMatchObject({ action: 'export.created', before: null, after: { name: 'Orders' } })
})

test('entries are found by actor, action, object, project, time and text, in pages', async () => {
  const { secondProjectId, clock } = service
  clock.advance(1000)
  const start = new Date(clock.now()).toISOString()
  const own = await createExport(service, { name: 'Findable' })
  clock.advance(60_000)
  const between = new Date(clock.now()).toISOString()
  const other = await createExport(
    service,
    { name: 'Findable too' },
    `/api/projects/${secondProjectId}/batch_exports/`,
  )
  const found = async (query: string) => (await list(query)).map((entry) => entry.object.id)
  expect(await found('search=findABLE&action=export.created')).toEqual([other.id, own.id])
  expect(await found(`search=findable&project=${secondProjectId}`)).toEqual([other.id])
  expect(await found(`after=${start}&before=${between}`)).toEqual([own.id])
  expect(await found(`after=${between}&actor=Own+key&object_type=export`)).toEqual([other.id])
  expect(await found('action=export.deleted&action=key.revoked&search=findable')).toEqual([])
  expect(await found('actor=Nobody')).toEqual([])
  expect(await found('search=%25')).toEqual([])

  const path = `${log}?object_type=note`
  const entry = {
    organizationId: service.own.organization_id,
    action: 'note.created',
    at: new Date(clock.now()),
  } as const
  for (let count = 0; count < 51; count++) await audit(service.services.store, entry)
  const first = bodyOf(cursorPage(AuditEntry), await service.request('GET', path))
  const second = bodyOf(cursorPage(AuditEntry), await service.request('GET', first.next ?? ''))
  const ids = [...first.results, ...second.results].map(({ id }) => id)
  expect([first.results.length, new Set(ids).size, second.next]).toEqual([50, 51, null])
  const unknown = await service.request('GET', `${log}?cursor=bm90`)
  expect([unknown.status, problemOf(unknown).detail]).toEqual([404, 'Invalid cursor'])
})

test('no entry contains a secret: of keys, connections, channels, exports and links', async () => {
  const secret = 'never-in-the-audit-log'
  const given = { body: { label: 'Reader', scopes: ['batch_export:read'] } }
  const key = bodyOf(CreatedPersonalApiKey, await service.request('POST', keys, given))
  await service.request('DELETE', `${keys}${key.id}/`)
  const channels = '/api/projects/@current/alert_channels/'
  const hook = { type: 'webhook', name: 'Hook', url: `http://127.0.0.1:9/${secret}`, signing_secret: secret }
  const channel = await service.request('POST', channels, { body: hook })
  const { id } = channel.body as { id: string }
  await service.request('PATCH', `${channels}${id}/`, {
    body: { signing_secret: `${secret}-2`, name: 'Hooked' },
  })
  const lake = await createIntegration(service, { name: 'Lake', aws_secret_access_key: secret })
  const config = { ...connectionConfigs['s3-compatible'], aws_secret_access_key: `${secret}-2` }
  await service.request('POST', `/api/projects/@current/integrations/${lake.id}/rotate/`, {
    body: { config },
  })
  await service.request('DELETE', `/api/projects/@current/integrations/${lake.id}/`)
  const webhook = { type: 'Webhook', config: { url: 'http://127.0.0.1:9/', signing_secret: secret } }
  const made = await createExport(service, { name: 'To a hook', destination: webhook })
  const changed = { type: 'Webhook', config: { url: 'http://127.0.0.1:9/', signing_secret: `${secret}-2` } }
  await service.request('PATCH', `${exports}${made.id}/`, { body: { destination: changed } })
  const recording = await insertRecording(service)
  const note = { session_recording_id: recording.session_id, at: 1, text: `${secret} in a note` }
  await service.request('POST', '/api/projects/@current/recording_notes/', { body: note })
  const links = `/api/projects/@current/session_recordings/${recording.session_id}/links/`
  await service.request('POST', links, { body: { label: 'For support', password: secret } })

  const rows = await service.services.store.selectFrom('audit_entries').selectAll().execute()
  const text = JSON.stringify(rows)
  expect(text).not.toContain(secret)
  expect(text).not.toContain(key.value)
  const actions = new Map(rows.map((row) => [row.action, row]))
  expect(actions.get('key.revoked')?.before).toMatchObject({ label: 'Reader', scopes: ['batch_export:read'] })
  expect(actions.get('alert_channel.updated')).toMatchObject({
    before: { name: 'Hook' },
    after: { name: 'Hooked', secrets: 'changed' },
  })
  expect(actions.get('connection.secret_rotated')).toMatchObject({
    object_name: 'Lake',
    after: { 'destination.integration.secrets': 'changed' },
  })
  expect(actions.get('connection.deleted')).toMatchObject({ object_id: String(lake.id), object_name: 'Lake' })
  expect(actions.get('export.updated')?.after).toEqual({ 'destination.config.signing_secret': 'changed' })
  expect(actions.get('note.created')).toMatchObject({ object_name: null, after: null })
  expect(actions.get('share.created')).toMatchObject({
    object_name: `${recording.session_id} / For support`,
    after: { password_required: true, shows: 'picture' },
  })
})

test('watching a recording is recorded once an hour for each key, opening a link once for each address', async () => {
  const recording = await insertRecording(service, { distinct_id: 'visitor@example.com' })
  await insertBlock(service, recording, 0, [
    ['window', { timestamp: service.clock.now(), type: EventType.Meta }],
  ])
  const item = `/api/projects/@current/session_recordings/${recording.session_id}/`
  const watch = (key?: string) =>
    service.request('GET', `${item}snapshots/?source=blob_v2&start_blob_key=0&end_blob_key=0`, {
      ...(key !== undefined && { key }),
    })
  await service.request('GET', `${item}snapshots/`)
  expect(await list(`object=${recording.session_id}`)).toEqual([])
  await Promise.all([watch(), watch(), watch()])
  await watch(await service.newKey())
  service.clock.advance(3_600_000)
  await watch()
  const watched = await list(`object=${recording.session_id}&action=recording.watched`)
  expect(watched.map(({ actor }) => actor.name)).toEqual(['Own key', 'A key', 'Own key'])

  const shared = await service.request('PATCH', `${item}sharing/`, { body: { enabled: true } })
  const { access_token } = shared.body as { access_token: string }
  for (const path of ['', `?x`])
    await service.request('GET', `/api/shared/${access_token}/${path}`, { key: '' })
  await service.request('GET', `${item}snapshots/?sharing_access_token=${access_token}`, { key: '' })
  const opened = await list('action=share.opened')
  expect(opened).toMatchObject([
    { actor: { kind: 'link', name: 'a link' }, address: '127.0.0.1', object: { name: recording.session_id } },
  ])

  const persons = '/api/projects/@current/persons/visitor%40example.com/'
  for (const path of [persons, persons]) expect((await service.request('GET', path)).status).toBe(200)
  const [viewed, ...others] = await list('action=person.viewed')
  expect([viewed?.object.id, viewed?.object.name, others]).toEqual([
    hashedPerson(service.services.secrets, service.own.project_id, 'visitor@example.com'),
    null,
    [],
  ])
  expect(JSON.stringify(await list())).not.toContain('visitor@example.com')
})

test('a bulk action is recorded as a whole and for each export, under the name of its key', async () => {
  const made = await createExport(service)
  await service.request('POST', '/api/projects/@current/bulk_actions/', {
    body: { action: 'delete_batch_exports', ids: [made.id] },
  })
  while (await continueBulkAction(service.services));
  expect(await list(`object=${made.id}&action=export.deleted`)).toMatchObject([
    { actor: { kind: 'key', id: null, name: 'Own key' }, address: null },
  ])
  expect((await list('action=bulk_action.started'))[0]).toMatchObject({
    after: { action: 'delete_batch_exports', total: 1 },
  })
})

test('refused requests are counted for each client and reason, however many there are', async () => {
  const reader = await service.newKey({ scopes: ['batch_export:read'] })
  for (let count = 0; count < 5; count++) await service.request('GET', exports, { key: 'phx_wrong' })
  for (let count = 0; count < 3; count++) await service.request('GET', keys, { key: reader })
  expect(await list('object_type=key&action=key.refused')).toEqual([])
  await service.services.refusals.flush()
  expect(await list('action=key.refused')).toMatchObject([
    {
      actor: { kind: 'key', id: null, name: 'an unknown key or ended session' },
      address: '127.0.0.1',
      after: { attempts: 5 },
    },
  ])
  expect(await list('action=access.refused')).toMatchObject([
    { actor: { name: 'A key' }, object: { name: `GET ${keys}` }, after: { attempts: 3 } },
  ])
  const actor = { kind: 'key', id: null, name: 'an unknown key or ended session' } as const
  for (let count = 0; count < 80; count++)
    service.services.refusals.add({
      organizationId: null,
      action: 'key.refused',
      name: null,
      acting: { actor, address: `192.0.2.${count}` },
    })
  await service.services.refusals.flush()
  const flood = (await list('action=key.refused')).filter(({ address }) => address !== '127.0.0.1')
  const others = await list('action=key.refused&actor=several+clients')
  expect([flood.length, others.map(({ after }) => after)]).toEqual([50, [{ attempts: 30 }]])
})

test('signing in and out is recorded with the person; refused attempts name a member, but never the text that was tried', async () => {
  const { store } = service.services
  const userId = await insertMember(service, 'admin')
  await updateRows(store, 'users', { id: userId }, { first_name: 'Ada', email: 'ada@people.example' })
  const send = (
    method: string,
    path: string,
    body: object | undefined,
    headers: Record<string, string> = {},
  ) =>
    service.request(method, path, {
      ...(body && { body }),
      headers: { origin: 'http://localhost:80', ...headers },
      key: '',
    })
  const attempt = (email: string) => send('POST', '/api/sessions/', { email, password: 'not the password' })
  for (const email of ['ada@people.example', 'ADA@people.example', 'mistyped@password']) await attempt(email)
  await service.services.refusals.flush()
  const refused = await list('action=sign_in.refused')
  expect(refused.map(({ actor, after, address }) => [actor.name, after, address]).toSorted()).toEqual([
    ['Ada', { attempts: 2 }, '127.0.0.1'],
    ['someone not signed in', { attempts: 1 }, '127.0.0.1'],
  ])
  expect(JSON.stringify(refused)).not.toContain('mistyped')
  await send('POST', '/api/sessions/', { key: await service.newKey() })
  expect((await list('action=sign_in.succeeded'))[0]).toMatchObject({
    actor: { kind: 'person' },
    address: '127.0.0.1',
    after: { method: 'key' },
  })
  const { headers } = await insertSession(service, { user_id: userId })
  await send('POST', keys, { label: 'Of Ada', scopes: ['batch_export:read'] }, headers)
  await send('DELETE', '/api/sessions/@current/', undefined, headers)
  const [ended, created] = await list(`actor=${userId}&action=session.ended&action=key.created`)
  expect([ended?.action, created?.action]).toEqual(['session.ended', 'key.created'])
  expect(created?.actor).toEqual({ kind: 'person', id: userId, name: 'Ada' })
})

test('GET /api/organizations/:organization_id/audit_log/export/ returns 200 with one entry a line, and is recorded', async () => {
  const response = await service.request('GET', `${log}export/?action=export.created`)
  expect([response.status, response.headers['content-type']]).toEqual([200, 'application/jsonl'])
  const entries = response.text
    .trimEnd()
    .split('\n')
    .map((line) => AuditEntry.parse(JSON.parse(line)))
  const times = entries.map((entry) => entry.created_at)
  expect(times.length).toBeGreaterThan(3)
  expect(times).toEqual(times.toSorted())
  expect(entries.every(({ action }) => action === 'export.created')).toBe(true)
  expect((await list('action=audit_log.exported')).length).toBe(1)
})

test('a key limited to projects sees the entries of these alone, and cannot change the settings', async () => {
  const key = await service.newKey({ scopes: ['audit_log:write'], projects: [service.secondProjectId] })
  const entries = await list('', key)
  expect(entries.map(({ project }) => project)).toEqual(entries.map(() => service.secondProjectId))
  expect(entries.length).toBeGreaterThan(0)
  const refused = await service.request('PATCH', `${log}settings/`, { key, body: { retention_days: 90 } })
  expect([refused.status, problemOf(refused).detail]).toEqual([
    403,
    expect.stringContaining('limited to some projects'),
  ])
  const foreign = await service.request('GET', log, { key: service.other.api_key })
  expect(bodyOf(cursorPage(AuditEntry), foreign).results).toEqual([])
})

test('GET /api/organizations/:organization_id/audit_log/settings/ and PATCH /api/organizations/:organization_id/audit_log/settings/ return 200 with the settings; a secret is shown once', async () => {
  const path = `${log}settings/`
  const change = (body: object) => service.request('PATCH', path, { body })
  const defaults = { retention_days: 730, receiver: null, waiting: 0, last_sent_at: null, last_error: null }
  expect(bodyOf(AuditSettings, await service.request('GET', path))).toEqual(defaults)
  const receiver = { type: 'webhook', url: 'http://127.0.0.1:9/secret-path' }
  const updated = bodyOf(UpdatedAuditSettings, await change({ retention_days: 90, receiver }))
  expect(updated.signing_secret).toMatch(/^[\w-]{43}$/)
  const shown = {
    ...defaults,
    retention_days: 90,
    receiver: { type: 'webhook', origin: 'http://127.0.0.1:9' },
  }
  expect(bodyOf(AuditSettings, await service.request('GET', path))).toEqual(shown)
  expect((await list('action=audit_log.settings_changed'))[0]).toMatchObject({
    before: { retention_days: 730, receiver: null },
    after: { retention_days: 90, receiver: shown.receiver },
  })
  for (const [body, attr, detail] of [
    [{ retention_days: 3 }, 'retention_days', 'at least 30 days'],
    [
      { receiver: { type: 'webhook', url: 'http://10.0.0.1/' } },
      'receiver__url',
      'not on the public internet',
    ],
    [
      { receiver: { type: 'syslog', host: '169.254.169.254', port: 514, tls: false } },
      'receiver__host',
      'public',
    ],
    [
      { receiver: { type: 'syslog', host: 'a b', port: 514, tls: false } },
      'receiver__host',
      'name of a host',
    ],
    [{}, null, 'Nothing to update'],
  ] as const) {
    const problem = problemOf(await change(body))
    expect(problem).toMatchObject({ attr, detail: expect.stringContaining(detail) })
  }
  await change({ receiver: null })
})

test('a change whose entry cannot be written is not made', async () => {
  const { store } = service.services
  const made = await createExport(service)
  const lake = { kind: 's3-compatible', config: { name: 'Lost', ...connectionConfigs['s3-compatible'] } }
  await sql`CREATE FUNCTION fail_entry() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no entry'; END $$`.execute(store)
  await sql`CREATE TRIGGER fail_entry BEFORE INSERT ON audit_entries EXECUTE FUNCTION fail_entry()`.execute(
    store,
  )
  const attempts = [
    ['POST', keys, { label: 'Lost', scopes: ['*'] }],
    ['PATCH', `${exports}${made.id}/`, { name: 'Lost' }],
    ['POST', '/api/projects/@current/integrations/', lake],
    [
      'POST',
      '/api/projects/@current/alert_channels/',
      { type: 'slack', name: 'Lost', url: 'http://127.0.0.1:9/' },
    ],
    ['POST', '/api/projects/@current/session_recording_playlists/', { name: 'Lost' }],
    ['PATCH', `${log}settings/`, { retention_days: 44 }],
  ] as const
  for (const [method, path, body] of attempts) {
    expect((await service.request(method, path, { body })).status, path).toBe(500)
    expect((await service.request('GET', path)).text).not.toMatch(/Lost|"retention_days":44/)
  }
  await sql`DROP TRIGGER fail_entry ON audit_entries`.execute(store)
})
