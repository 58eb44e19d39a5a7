import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { AuditEntry } from '../../contract/audit/audit-entry.ts'
import { AuditSettings, UpdatedAuditSettings } from '../../contract/audit/audit-settings.ts'
import { listenOnLoopback } from '../engines/loopback.ts'
import { certificateUnavailable, testCertificate } from '../testing/servers/test-certificate.ts'
import { startReceiver, type TestReceiver } from '../testing/servers/test-receiver.ts'
import { testNames } from '../testing/test-engines.ts'
import { bodyOf, createTestService, type TestService } from '../testing/test-service.ts'
import { removeOldEntries } from './remove-old-entries.ts'
import { sealEntries } from './seal-entries.ts'
import { sendSeals } from './send-seals.ts'

let service: TestService
let receiver: TestReceiver
const settings = '/api/organizations/@current/audit_log/settings/'
const never = new AbortController().signal

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  receiver = await startReceiver()
})
afterAll(async () => {
  receiver.stop()
  await service.stop()
})
beforeEach(() => {
  receiver.received.length = 0
  receiver.state.answer = (response) => response.end('ok')
})

async function sendTo(input: object | null) {
  await sealEntries(service.services)
  const response = await service.request('PATCH', settings, { body: { receiver: input } })
  expect(response.status, response.text).toBe(200)
  return bodyOf(UpdatedAuditSettings, response)
}

/** Adds an entry that a later one can be told from, and seals it. */
async function act(label: string): Promise<void> {
  await service.request('POST', '/api/personal_api_keys/', { body: { label, scopes: ['*'] } })
  await sealEntries(service.services)
}

const shown = async () => bodyOf(AuditSettings, await service.request('GET', settings))
const Sent = z.object({
  organization: z.string(),
  seal: z.object({ number: z.int(), hash: z.string() }),
  entries: z.array(AuditEntry),
})
const sent = () => receiver.received.map(({ body }) => Sent.parse(JSON.parse(body)))

test('a webhook gets each seal with its entries, signed, in order; after a failure from where it stopped', async () => {
  const { signing_secret } = await sendTo({ type: 'webhook', url: `${receiver.origin}/hook` })
  await act('first')
  await act('second')
  expect(await shown()).toMatchObject({ waiting: 2, last_sent_at: null })
  receiver.state.answer = (response, { body }) => {
    if (body.includes('second')) response.statusCode = 500
    response.end()
  }
  await sendSeals(service.services, never)
  expect(await shown()).toMatchObject({ waiting: 1, last_error: 'The receiver answered with status 500.' })
  receiver.state.answer = (response) => response.end()
  expect(await sendSeals(service.services, never)).toBe(false)
  service.clock.advance(10_000)
  await sendSeals(service.services, never)
  expect(await shown()).toMatchObject({ waiting: 0, last_error: null })
  expect(await sendSeals(service.services, never)).toBe(false)
  const names = sent().map(({ entries }) =>
    entries.map(({ object }) => object.name).filter((name) => name !== null),
  )
  expect(names).toEqual([['first'], ['second'], ['second']])
  const [one, two] = sent()
  expect(two?.seal.number).toBe((one?.seal.number ?? 0) + 1)
  const { headers = {}, body = '' } = receiver.received[0] ?? {}
  const hmac = createHmac('sha256', signing_secret ?? '').update(
    `${String(headers['spool-timestamp'])}.${body}`,
  )
  expect(headers['spool-signature']).toBe(`v1=${hmac.digest('hex')}`)
})

test('a receiver whose address turns private is refused', async () => {
  let address = '127.0.0.1'
  testNames.set('turning.test', () => address)
  for (const input of [
    { type: 'webhook', url: `http://turning.test:${receiver.port}/` },
    { type: 'syslog', host: 'turning.test', port: receiver.port, tls: false },
  ]) {
    address = '127.0.0.1'
    await sendTo(input)
    address = '10.0.0.1'
    await act('refused')
    await sendSeals(service.services, never)
    expect((await shown()).last_error).toContain('turning.test is not on the public internet')
  }
  expect(receiver.received).toEqual([])
  testNames.delete('turning.test')
})

async function listen(server: Server, event: 'connection' | 'secureConnection', received: string[]) {
  server.on(event, (socket: Socket) => {
    text(socket).then(
      (all) => received.push(all),
      () => undefined,
    )
  })
  return await listenOnLoopback(server)
}

test('a syslog receiver gets each entry as a message with its length', async () => {
  const received: string[] = []
  const server = createServer()
  const port = await listen(server, 'connection', received)
  await sendTo({ type: 'syslog', host: '127.0.0.1', port, tls: false })
  await act('to syslog: é')
  await sendSeals(service.services, never)
  server.close()
  expect(await shown()).toMatchObject({ waiting: 0, last_error: null })
  const bytes = Buffer.from(received.join(''))
  const messages: string[] = []
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(' ', at)
    const end = space + 1 + Number(bytes.subarray(at, space).toString())
    messages.push(bytes.subarray(space + 1, end).toString())
    at = end
  }
  const created = messages.find((message) => message.includes(' key.created '))
  const [, header = '', json = ''] = /^(<109>1 \S+Z - spool - key\.created -) (.*)$/.exec(created ?? '') ?? []
  expect(header).toContain('2026-03-04T')
  expect(AuditEntry.parse(JSON.parse(json)).object.name).toBe('to syslog: é')
  service.clock.advance(1000)
  await act('nobody listens')
  await sendSeals(service.services, never)
  expect((await shown()).last_error).toContain('ECONNREFUSED')
})

test.skipIf(certificateUnavailable)(
  'over TLS, a certificate that nobody vouches for is refused',
  async () => {
    const folder = await mkdtemp(join(inject('testFolder'), 'syslog-'))
    const { key, cert } = await testCertificate(folder, 'localhost')
    const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) })
    const received: string[] = []
    const port = await listen(server, 'secureConnection', received)
    await sendTo({ type: 'syslog', host: '127.0.0.1', port, tls: true })
    await act('over TLS')
    await sendSeals(service.services, never)
    server.close()
    expect((await shown()).last_error).toMatch(/self-signed certificate/)
    expect(received.join('')).toBe('')
  },
)

test('seals that a receiver never got are not waited for after their retention', async () => {
  await sendTo({ type: 'webhook', url: `${receiver.origin}/late` })
  await act('too late')
  receiver.state.answer = (response) => response.destroy()
  await sendSeals(service.services, never)
  expect((await shown()).waiting).toBe(1)
  service.clock.advance(1000 * 86_400_000)
  await removeOldEntries(service.services)
  expect((await shown()).waiting).toBe(0)
  expect(await sendSeals(service.services, never)).toBe(false)
})
