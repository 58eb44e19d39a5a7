import { afterAll, beforeAll, expect, test } from 'vitest'
import { AlertChannels } from '../../../contract/alerts/alert-channel.ts'
import { AlertDelivery } from '../../../contract/alerts/alert-delivery.ts'
import { offsetPage } from '../../../contract/page.ts'
import { secretRequired } from '../../../contract/destinations/moved-secrets.ts'
import { openChannelSecrets } from '../../alerts/channel-secrets.ts'
import { createChannel, createRule } from '../../testing/test-alerts.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
let project: number

beforeAll(async () => {
  service = await createTestService({
    config: { privateDestinations: 'loopback', smtp: { url: 'smtp://127.0.0.1:9', from: 'a@b.example' } },
  })
  project = service.own.project_id
})
afterAll(() => service.stop())

const path = '/api/projects/@current/alert_channels/'
const url = 'http://127.0.0.1:9/hook/secret-path?token=hidden'

async function refused(body: object) {
  const response = await service.request('POST', path, { body: { type: 'webhook', name: 'A', url, ...body } })
  return [response.status, problemOf(response).attr, problemOf(response).detail]
}

test('POST /api/projects/:project_id/alert_channels/ returns 201 and shows a generated signing secret once', async () => {
  const { signing_secret, ...channel } = await createChannel(service, project, { url })
  expect(channel).toMatchObject({
    type: 'webhook',
    name: 'On call',
    enabled: true,
    origin: 'http://127.0.0.1:9',
    recipients: [],
    recording_alerts: true,
    last_delivery: null,
    by: 'Own key',
  })
  expect(signing_secret).toMatch(/^[\w-]{43}$/)
  const one = await service.request('GET', `${path}${channel.id}/`)
  expect(one.body).toEqual(channel)
})

test('no response and no column contains the path of a URL or a signing secret', async () => {
  const given = 'my-own-signing-secret'
  const channel = await createChannel(service, project, { url, signing_secret: given })
  expect(channel.signing_secret).toBeNull()
  const change = { body: { name: 'Night shift', signing_secret: `${given}-2` } }
  const responses = await Promise.all([
    service.request('PATCH', `${path}${channel.id}/`, change),
    service.request('GET', path),
    service.request('POST', `${path}${channel.id}/test/`),
    service.request('GET', `${path}${channel.id}/deliveries/`),
  ])
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 201, 200])
  const { store } = service.services
  const stored = [
    ...(await store.selectFrom('alert_channels').selectAll().execute()),
    ...(await store.selectFrom('alert_deliveries').selectAll().execute()),
  ].map((row) => `${JSON.stringify(row)} ${'secrets' in row ? row.secrets?.toString('latin1') : ''}`)
  const all = [...responses.map(({ text }) => text), ...stored].join('\n')
  expect(all).toContain('Night shift')
  for (const secret of ['secret-path', 'hidden', given]) expect(all).not.toContain(secret)
})

test('GET /api/projects/:project_id/alert_channels/ returns 200 with the channels by name, in pages', async () => {
  const ofSecond = `/api/projects/${service.secondProjectId}/alert_channels/`
  for (const name of ['b', 'C', 'a']) await createChannel(service, service.secondProjectId, { name })
  const page = bodyOf(AlertChannels, await service.request('GET', `${ofSecond}?limit=2`))
  expect([page.count, page.results.map(({ name }) => name)]).toEqual([3, ['a', 'b']])
  expect(page.next).toContain('offset=2')
})

test.each([
  [{ type: 'pager' }, 'type', 'The type must be webhook, slack, teams or email.'],
  [{ recipients: ['a@b.example'] }, 'recipients', '"recipients" is not recognised.'],
  [{ url: 'ftp://127.0.0.1/x' }, 'url', 'The URL must start with https:// or http://.'],
  [{ url: 'no url' }, 'url', 'This is not a URL: enter one like https://hooks.example.com/….'],
  [{ url: 'http://user:word@127.0.0.1/' }, 'url', 'The URL must not contain a user or password.'],
  [
    { url: 'http://10.0.0.7/hook' },
    'url',
    'The host 10.0.0.7 is not on the public internet. Hosts in a private network require SPOOL_ALLOW_PRIVATE_DESTINATIONS=true.',
  ],
  [
    { url: 'http://[::ffff:169.254.169.254]/latest' },
    'url',
    expect.stringContaining('not on the public internet'),
  ],
  [{ name: 'a\r\nBcc: b@c.example' }, 'name', expect.stringContaining('Control characters')],
  [
    { signing_secret: 'short' },
    'signing_secret',
    'A signing secret must have 16 to 200 characters, without white space.',
  ],
])('a channel with %j is refused', async (body, attr, detail) => {
  expect(await refused(body)).toEqual([400, attr, detail])
})

test('a name has at most 200 characters', async () => {
  expect(await refused({ name: 'x'.repeat(201) })).toEqual([
    400,
    'name',
    'Ensure this field has no more than 200 characters.',
  ])
  const { name } = await createChannel(service, project, { name: '長'.repeat(200) })
  expect(name).toBe('長'.repeat(200))
})

test('an e-mail address cannot smuggle in a header or another recipient', async () => {
  for (const address of ['a@b.example\r\nBcc: c@d.example', 'a@b.example, c@d.example', '<a@b.example>', 'a'])
    expect(await refused({ type: 'email', url: undefined, recipients: [address] })).toEqual([
      400,
      'recipients__0',
      'This is not an e-mail address.',
    ])
})

test('without SPOOL_SMTP_URL, a channel for e-mail is refused with the reason, and the list says so', async () => {
  const plain = await createTestService()
  const body = { type: 'email', name: 'Mail', recipients: ['a@b.example'] }
  const response = await plain.request('POST', path, { body })
  const { email } = bodyOf(AlertChannels, await plain.request('GET', path))
  await plain.stop()
  expect(email).toBe(false)
  expect([response.status, problemOf(response).detail]).toEqual([
    400,
    'This service sends no e-mail: its administrator must set SPOOL_SMTP_URL and SPOOL_SMTP_FROM.',
  ])
})

test('a project has at most 50 channels, however many are created at once', async () => {
  const other = await service.newKey({ projects: [service.secondProjectId] })
  const address = `/api/projects/${service.secondProjectId}/alert_channels/`
  const body = { type: 'webhook', name: 'Many', url }
  const responses = await Promise.all(
    Array.from({ length: 52 }, () => service.request('POST', address, { body, key: other })),
  )
  expect(responses.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(2)
  const page = bodyOf(AlertChannels, await service.request('GET', address))
  expect(page.count).toBe(50)
})

test('GET /api/projects/:project_id/alert_channels/:id/ and PATCH /api/projects/:project_id/alert_channels/:id/ return 200; a change is partial and keeps the type', async () => {
  const channel = await createChannel(service, project, { type: 'slack' })
  const address = `${path}${channel.id}/`
  const response = await service.request('PATCH', address, { body: { url: 'https://127.0.0.1:8/other' } })
  expect([response.status, response.body]).toEqual([
    200,
    expect.objectContaining({ name: 'On call', type: 'slack', origin: 'https://127.0.0.1:8' }),
  ])
  for (const [body, detail] of [
    [{ recipients: ['a@b.example'] }, 'A channel of the type slack has no recipients.'],
    [{ signing_secret: 'x'.repeat(16) }, 'A channel of the type slack has no signing_secret.'],
    [{ type: 'webhook' }, '"type" is not recognised.'],
    [{}, 'Nothing to update: send at least one of name, enabled, url, signing_secret and recipients.'],
  ] as const)
    expect(problemOf(await service.request('PATCH', address, { body })).detail).toBe(detail)
  const mail = await createChannel(service, project, {
    type: 'email',
    url: undefined,
    recipients: ['a@b.example'],
  })
  const wrong = await service.request('PATCH', `${path}${mail.id}/`, { body: { url } })
  expect(problemOf(wrong).detail).toBe('A channel of the type email has no url.')
})

test('another URL requires a signing secret, in the same request', async () => {
  const { id } = await createChannel(service, project, { url })
  const change = (body: object) => service.request('PATCH', `${path}${id}/`, { body })
  const to = { url: 'http://127.0.0.1:8/hook', name: 'Moved' }
  for (const body of [to, { url: `${url}2` }]) {
    const response = await change(body)
    expect(response.status).toBe(400)
    expect(problemOf(response)).toMatchObject({
      code: 'required',
      attr: 'signing_secret',
      detail: secretRequired,
    })
  }
  const same = await change({ url, name: 'Renamed' })
  expect(same.body).toMatchObject({ name: 'Renamed', origin: 'http://127.0.0.1:9' })
  const moved = await change({ ...to, signing_secret: 'x'.repeat(16) })
  expect(moved.body).toMatchObject({ name: 'Moved', origin: 'http://127.0.0.1:8' })
})

test('two changes of a channel at once keep both', async () => {
  const { id } = await createChannel(service, project, { url, signing_secret: 'the-first-signing-secret' })
  for (let count = 0; count < 10; count += 1) {
    const given = {
      url: count % 2 ? url : `${url}/`,
      signing_secret: `signing-secret-${count}`,
      name: `${count}`,
    }
    const responses = await Promise.all(
      Object.entries(given).map(([field, value]) =>
        service.request('PATCH', `${path}${id}/`, { body: { [field]: value } }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    const row = await service.services.store
      .selectFrom('alert_channels')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect([row.name, openChannelSecrets(service.services.secrets, row)]).toEqual([
      given.name,
      { url: given.url, signingSecret: given.signing_secret },
    ])
  }
})

test('POST /api/projects/:project_id/alert_channels/:id/test/ returns 201 with a message that waits to be sent; GET /api/projects/:project_id/alert_channels/:id/deliveries/ lists it', async () => {
  const channel = await createChannel(service, project)
  const sent = await service.request('POST', `${path}${channel.id}/test/`)
  expect(sent.status, sent.text).toBe(201)
  expect(bodyOf(AlertDelivery, sent)).toMatchObject({
    transition: 'test',
    incident: null,
    channel: { id: channel.id, name: 'On call', type: 'webhook' },
    status: 'waiting',
    attempts: [],
    finished_at: null,
  })
  const listed = await service.request('GET', `${path}${channel.id}/deliveries/`)
  expect(bodyOf(offsetPage(AlertDelivery), listed)).toEqual({
    count: 1,
    next: null,
    previous: null,
    results: [sent.body],
  })
})

test('a channel is tested once at a time, however many tests are requested at once: 409', async () => {
  const { id } = await createChannel(service, project)
  const responses = await Promise.all(
    Array.from({ length: 4 }, () => service.request('POST', `${path}${id}/test/`)),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  const refused = responses
    .filter(({ status }) => status === 409)
    .map((response) => problemOf(response).detail)
  expect(new Set(refused)).toEqual(
    new Set(['A test of this channel is being sent: wait for its result, which its messages show.']),
  )
})

test('a project can send 60 tests within an hour, also if it deletes the channels: 409', async () => {
  const { store } = service.services
  const other = `/api/projects/${service.secondProjectId}/alert_channels/`
  await store.deleteFrom('alert_channels').where('project_id', '=', service.secondProjectId).execute()
  const sendTest = async () => {
    const { id } = await createChannel(service, service.secondProjectId)
    const response = await service.request('POST', `${other}${id}/test/`)
    expect((await service.request('DELETE', `${other}${id}/`)).status).toBe(204)
    return response
  }
  for (let count = 0; count < 60; count += 1) expect((await sendTest()).status).toBe(201)
  const refused = await sendTest()
  expect([refused.status, problemOf(refused).detail]).toEqual([
    409,
    'The project has sent 60 tests within an hour: wait before you send another one.',
  ])
  const { id } = await createChannel(service, project)
  expect((await service.request('POST', `${path}${id}/test/`)).status).toBe(201)
  service.clock.advance(3_600_000)
  expect((await sendTest()).status).toBe(201)
})

test('DELETE /api/projects/:project_id/alert_channels/:id/ returns 204; rules forget the channel and its waiting messages fail', async () => {
  const channel = await createChannel(service, project)
  const rule = await createRule(service, project, { kind: 'short', channels: [channel.id] })
  await service.request('POST', `${path}${channel.id}/test/`)
  expect((await service.request('DELETE', `${path}${channel.id}/`)).status).toBe(204)
  expect((await service.request('GET', `${path}${channel.id}/`)).status).toBe(404)
  const after = await service.request('GET', `/api/projects/@current/alert_rules/${rule.id}/`)
  expect(after.body).toMatchObject({ channels: [] })
  const { store } = service.services
  const waiting = await store
    .selectFrom('alert_deliveries')
    .select(['status', 'channel_name'])
    .where('channel_id', 'is', null)
    .where('project_id', '=', project)
    .execute()
  expect(waiting).toEqual([{ status: 'failed', channel_name: 'On call' }])
})
