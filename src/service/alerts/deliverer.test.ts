import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AlertDelivery } from '../../contract/alerts/alert-delivery.ts'
import { offsetPage } from '../../contract/page.ts'
import { createChannel, insertIncident } from '../testing/test-alerts.ts'
import { startReceiver, type TestReceiver } from '../testing/servers/test-receiver.ts'
import { startRebinding } from '../testing/servers/test-rebinding.ts'
import { bodyOf, createTestService, type TestService } from '../testing/test-service.ts'
import { newId } from '../store/schema/identifier.ts'
import { sealChannelSecrets } from './channel-secrets.ts'
import { openDeliverer, type Deliverer } from './deliverer.ts'

let service: TestService
let receiver: TestReceiver
let deliverer: Deliverer
let project: number

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  receiver = await startReceiver()
  deliverer = openDeliverer(service.services)
  project = service.own.project_id
})
afterAll(async () => {
  await deliverer.stop()
  receiver.stop()
  await service.stop()
})
beforeEach(async () => {
  await service.services.store.deleteFrom('alert_deliveries').execute()
  await service.services.store.deleteFrom('alert_channels').execute()
  receiver.received.length = 0
  receiver.state.answer = (response) => response.end('ok')
})

const path = '/api/projects/@current/alert_channels/'
const secret = 'a-secret-of-the-receiver'

function channelTo(hook: string, input: object = {}) {
  return createChannel(service, project, { url: `${receiver.origin}${hook}`, ...input })
}

async function sendTest(id: string): Promise<AlertDelivery> {
  const response = await service.request('POST', `${path}${id}/test/`)
  expect(response.status, response.text).toBe(201)
  await deliverer.sendDue()
  await deliverer.idle()
  return await newest(id)
}

async function newest(id: string): Promise<AlertDelivery> {
  const response = await service.request('GET', `${path}${id}/deliveries/?limit=1`)
  const [delivery] = bodyOf(offsetPage(AlertDelivery), response).results
  if (!delivery) throw new Error('the channel has no delivery')
  return delivery
}

/** Stores a message as the transition of an incident does. */
async function insertMessage(channelId: string, title = 'Orders fails', incidentId: string | null = null) {
  const now = service.clock.now()
  const row = await service.services.store
    .insertInto('alert_deliveries')
    .values({
      id: newId(now),
      project_id: project,
      channel_id: channelId,
      channel_name: 'On call',
      channel_type: 'webhook',
      incident_id: incidentId,
      transition_id: null,
      transition: 'opened',
      message: JSON.stringify({
        title,
        detail: 'The store refused the connection.',
        project: { id: project, name: 'Own project' },
        incident: null,
        path: '/repair',
        at: '2026-03-04T10:30:00Z',
      }),
      status: 'waiting',
      created_at: new Date(now),
      next_attempt_at: new Date(now),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

test('a webhook receives JSON with a signature that its secret verifies; the history shows request and response', async () => {
  const channel = await channelTo('/hook/of-the-team?key=hidden', { signing_secret: secret })
  const delivery = await sendTest(channel.id)
  const [message] = receiver.received
  if (!message) throw new Error('nothing was received')
  const { headers, body } = message
  expect(message.path).toBe('/hook/of-the-team?key=hidden')
  const signed = createHmac('sha256', secret)
    .update(`${String(headers['spool-timestamp'])}.${body}`)
    .digest('hex')
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'spool-message-id': delivery.id,
    'spool-signature': `v1=${signed}`,
  })
  expect(JSON.parse(body)).toMatchObject({
    id: delivery.id,
    transition: 'test',
    title: 'Test of an alert channel',
    project: { id: project, name: 'Own project' },
    incident: null,
  })
  expect(delivery).toMatchObject({
    status: 'delivered',
    next_attempt_at: null,
    finished_at: expect.any(String),
  })
  expect(delivery.attempts).toEqual([
    {
      at: '2026-03-04T10:30:00Z',
      duration_ms: 0,
      request: {
        method: 'POST',
        url: `${receiver.origin}/…`,
        headers: expect.objectContaining({ 'spool-message-id': delivery.id }),
        body,
      },
      response: { status: 200, body: 'ok' },
      error: null,
    },
  ])
  const shown = await service.request('GET', `${path}${channel.id}/`)
  expect(shown.body).toMatchObject({ last_delivery: { status: 'delivered', at: '2026-03-04T10:30:00Z' } })
})

test('retries repeat the id and the body, with growing delays, and end after ten attempts', async () => {
  const channel = await channelTo('/down')
  receiver.state.answer = (response) => response.writeHead(503).end('busy')
  const id = await insertMessage(channel.id)
  const delays: number[] = []
  for (let attempt = 1; attempt <= 12; attempt += 1) {
    await deliverer.sendDue()
    await deliverer.idle()
    const { next_attempt_at } = await newest(channel.id)
    if (next_attempt_at === null) break
    const wait = Date.parse(next_attempt_at) - service.clock.now()
    delays.push(wait / 1000)
    service.clock.advance(wait - 1)
    expect(await deliverer.sendDue()).toBe(0)
    service.clock.advance(1)
  }
  expect(delays).toEqual([10, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800])
  expect(receiver.received).toHaveLength(10)
  const bodies = new Set(
    receiver.received.map(({ headers, body }) => `${String(headers['spool-message-id'])} ${body}`),
  )
  expect(bodies.size).toBe(1)
  expect(receiver.received[0]?.headers['spool-message-id']).toBe(id)
  const delivery = await newest(channel.id)
  expect([delivery.status, delivery.attempts.length, delivery.attempts.at(-1)?.error]).toEqual([
    'failed',
    10,
    'The receiver answered with status 503.',
  ])
})

test('a receiver that hangs delays no other channel, and is given up', async () => {
  const hung = await channelTo('/hung')
  const quick = await channelTo('/quick', { name: 'Quick' })
  receiver.state.answer = (response, { path }) => (path === '/quick' ? void response.end() : undefined)
  await Promise.all([insertMessage(hung.id), insertMessage(hung.id)])
  for (let count = 0; count < 3; count += 1) await insertMessage(quick.id)
  const own = openDeliverer(service.services)
  const isDelivered = async () => {
    await own.sendDue()
    const rows = await service.request('GET', `${path}${quick.id}/deliveries/`)
    const { results } = bodyOf(offsetPage(AlertDelivery), rows)
    return results.filter(({ status }) => status === 'delivered').length
  }
  await expect.poll(isDelivered).toBe(3)
  // One message at a time is sent to the receiver that hangs.
  expect(receiver.received.filter(({ path }) => path === '/hung')).toHaveLength(1)
  await own.stop()
  expect(await newest(hung.id)).toMatchObject({ status: 'waiting', attempts: [] })
})

test('messages that wait for a channel fail when they are due if it is off; a test is still sent', async () => {
  const channel = await channelTo('/off')
  receiver.state.answer = (response) => response.writeHead(503).end()
  await insertMessage(channel.id)
  await deliverer.sendDue()
  await deliverer.idle()
  await service.request('PATCH', `${path}${channel.id}/`, { body: { enabled: false } })
  service.clock.advance(10_000)
  await deliverer.sendDue()
  await deliverer.idle()
  const delivery = await newest(channel.id)
  expect([delivery.status, delivery.next_attempt_at]).toEqual(['failed', null])
  expect(delivery.attempts.map(({ error }) => error)).toEqual([
    'The receiver answered with status 503.',
    'The channel is off, so the message was not sent: turn the channel on to receive later ones.',
  ])
  expect(receiver.received).toHaveLength(1)
  receiver.state.answer = (response) => response.end()
  expect((await sendTest(channel.id)).status).toBe('delivered')
})

test('a message waits for the earlier ones about its incident, on its channel', async () => {
  const channel = await channelTo('/order')
  const incident = await insertIncident(service, project)
  receiver.state.answer = (response) => response.writeHead(500).end()
  await insertMessage(channel.id, 'first', incident.id)
  service.clock.advance(10)
  await insertMessage(channel.id, 'second', incident.id)
  await deliverer.sendDue()
  await deliverer.idle()
  receiver.state.answer = (response) => response.end()
  expect(await deliverer.sendDue()).toBe(0)
  service.clock.advance(10_000)
  for (let count = 0; count < 2; count += 1) {
    await deliverer.sendDue()
    await deliverer.idle()
  }
  const titles = receiver.received.map(({ body }) => JSON.parse(body).title)
  expect(titles).toEqual(['first', 'first', 'second'])
})

test('a redirect is not followed, and a huge response is cut', async () => {
  const channel = await channelTo('/hop')
  receiver.state.answer = (response) =>
    response.writeHead(302, { location: `${receiver.origin}/elsewhere` }).end()
  const redirected = await sendTest(channel.id)
  expect(redirected.attempts[0]?.error).toBe(
    'The receiver redirects (status 302), which is not followed: enter its final URL.',
  )
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hop'])
  receiver.state.answer = (response) => {
    const more = () => {
      while (response.write('x\0'.repeat(30_000)));
    }
    response.on('drain', more)
    more()
  }
  const huge = await sendTest(channel.id)
  expect([huge.status, huge.attempts[0]?.response?.body.length]).toEqual(['delivered', 2000])
})

test('a receiver that echoes the secrets does not bring them into the history', async () => {
  const channel = await channelTo('/hook/of-the-team?key=hidden', { signing_secret: secret })
  receiver.state.answer = (response, { path }) => response.writeHead(400).end(`bad ${path} and ${secret}`)
  const delivery = await sendTest(channel.id)
  expect(delivery.attempts[0]?.response?.body).toBe('bad *** and ***')
  // Where the text that is recorded ends.
  receiver.state.answer = (response, { path }) => response.writeHead(400).end('x'.repeat(1985) + path)
  const cut = await sendTest(channel.id)
  expect(cut.attempts[0]?.response?.body).toBe(`${'x'.repeat(1985)}***`)
  const rows = await service.services.store.selectFrom('alert_deliveries').selectAll().execute()
  for (const text of ['of-the-team', 'hidden', secret]) expect(JSON.stringify(rows)).not.toContain(text)
})

test('a name is looked up once and only the checked address is used, whatever the name server answers next', async () => {
  const rebinding = await startRebinding(receiver.port)
  const { id } = await createChannel(service, project, { url: 'http://127.0.0.1:9/x' })
  const url = `http://${rebinding.host}/hook`
  await service.services.store
    .updateTable('alert_channels')
    .set({ secrets: sealChannelSecrets(service.services.secrets, { url, signingSecret: null }) })
    .where('id', '=', id)
    .execute()
  expect((await sendTest(id)).status).toBe('delivered')
  expect([rebinding.lookups(), rebinding.stray()]).toEqual([1, 0])
  rebinding.stop()
})

test('an address that became private is refused when a message is sent', async () => {
  const channel = await channelTo('/private')
  const strict = {
    ...service.services,
    config: { ...service.services.config, privateDestinations: 'none' as const },
  }
  await insertMessage(channel.id)
  const own = openDeliverer(strict)
  await own.sendDue()
  await own.idle()
  expect((await newest(channel.id)).attempts[0]).toMatchObject({
    response: null,
    error:
      'The host 127.0.0.1 is not on the public internet. Hosts in a private network require SPOOL_ALLOW_PRIVATE_DESTINATIONS=true.',
  })
  expect(receiver.received).toEqual([])
})

test('Slack and Teams receive their formats, in which a name is only text', async () => {
  const slack = await channelTo('/slack', { type: 'slack', name: '<!channel> & *co*' })
  const teams = await channelTo('/teams', { type: 'teams', name: '[click](http://evil.example)' })
  await sendTest(slack.id)
  await sendTest(teams.id)
  const [first, second] = receiver.received.map(({ body }) => JSON.parse(body))
  expect(first.text).toContain('"&lt;!channel&gt; &amp; *co*"')
  expect(first.text).toMatch(/\|Open in Spool>$/)
  expect(second.attachments[0].content.body[1].text).toContain('\\[click\\]\\(http://evil.example\\)')
})
