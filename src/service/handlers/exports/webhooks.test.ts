import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { BatchExport } from '../../../contract/exports/batch-export.ts'
import { secretRequired } from '../../../contract/destinations/moved-secrets.ts'
import { readDefinitions } from '../../definitions/read-definitions.ts'
import { expectSigned, receiver } from '../../testing/exports/test-webhooks.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import { storedSecrets } from './destination-input.ts'
import { anyBatchExport } from '../../store/runs/batch-exports.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
})
afterAll(() => service.stop())

const exportsPath = '/api/projects/@current/batch_exports/'
const Created = BatchExport.extend({ signing_secret: z.string().optional() })
const url = 'http://127.0.0.1:9/rows'
const headers = { Authorization: 'Bearer planted-header', 'X-Team': 'planted-team' }
const own = 'a-signing-secret-of-my-own'

async function create(config: object = {}, more: object = {}) {
  const destination = { type: 'Webhook', config: { url, ...config } }
  const body = { name: 'Rows', interval: 'hour', destination, ...more }
  const response = await service.request('POST', exportsPath, { body })
  expect(response.status, response.text).toBe(201)
  return bodyOf(Created, response)
}

const change = ({ id }: { id: string }, config: object) =>
  service.request('PATCH', `${exportsPath}${id}/`, { body: { destination: { config } } })

async function secretsOf({ id }: { id: string }) {
  return storedSecrets(service.services, await anyBatchExport(service.services.store, id))
}

test('a generated signing secret is returned once, and header values never', async () => {
  const made = await create({ headers })
  expect(made.signing_secret).toMatch(/^[\w-]{43}$/)
  expect(made.destination.config).toEqual({ url, headers: { Authorization: null, 'X-Team': null } })
  expect(await secretsOf(made)).toEqual({ signing_secret: made.signing_secret, headers })
  const answers = await Promise.all(
    ['', 'logs/', 'drift/', 'ledger/'].map((path) =>
      service.request('GET', `${exportsPath}${made.id}/${path}`),
    ),
  )
  const history = await service.request('GET', '/api/projects/@current/batch_export_changes/')
  const list = await service.request('GET', exportsPath)
  for (const { text } of [...answers, history, list])
    for (const secret of [made.signing_secret ?? '', ...Object.values(headers)])
      expect(text).not.toContain(secret)
  expect((await create({ signing_secret: own })).signing_secret).toBeUndefined()
})

test('a change keeps the secrets that it does not name, and can replace each', async () => {
  const made = await create({ headers, signing_secret: own })
  const kept = { Authorization: null, 'X-New': 'new' }
  expect((await change(made, { headers: kept, batch_size: 10 })).status).toBe(200)
  expect(await secretsOf(made)).toEqual({
    signing_secret: own,
    headers: { Authorization: headers.Authorization, 'X-New': 'new' },
  })
  expect((await change(made, { signing_secret: `${own}-2` })).status).toBe(200)
  expect(await secretsOf(made)).toMatchObject({ signing_secret: `${own}-2` })
  expect((await change(made, { headers: {} })).status).toBe(200)
  expect(await secretsOf(made)).toEqual({ signing_secret: `${own}-2`, headers: {} })
  const unknown = problemOf(await change(made, { headers: { Other: null } }))
  expect(unknown).toMatchObject({ code: 'required', attr: 'destination__config__headers' })
})

test('another URL requires all secrets again', async () => {
  const made = await create({ headers, signing_secret: own })
  const elsewhere = 'http://127.0.0.1:10/rows'
  for (const given of [{}, { headers: { Authorization: null } }, { signing_secret: own }, { headers }]) {
    const response = await change(made, { url: elsewhere, ...given })
    expect(problemOf(response)).toMatchObject({ code: 'required', detail: secretRequired })
  }
  expect((await change(made, { url: elsewhere, headers, signing_secret: own })).status).toBe(200)
})

test('a copy gets a signing secret of its own', async () => {
  const made = await create({ headers })
  const copy = await create({ headers: { Authorization: null } }, { name: 'Copy', cloned_from: made.id })
  expect(copy.signing_secret).toMatch(/^[\w-]{43}$/)
  expect(copy.signing_secret).not.toBe(made.signing_secret)
  expect(await secretsOf(copy)).toMatchObject({ headers: { Authorization: headers.Authorization } })
})

test.each([
  [{ url: 'ftp://example.com' }, 'must start with https'],
  [{ url: 'https://user:pass@example.com' }, 'must not contain credentials'],
  [{ url: 'http://10.0.0.1/' }, 'not on the public internet'],
  [{ batch_size: 1001 }, 'batch_size'],
  [{ signing_secret: 'short' }, '16 to 200 characters'],
  [{ headers: { 'Idempotency-Key': 'x' } }, 'set by the service'],
  [{ headers: { 'a b': 'x' } }, 'only letters'],
  [{ headers: { a: 'x\r\nb: y' } }, 'without line breaks'],
  [{ headers: { a: 'x', A: 'y' } }, 'each header once'],
  [{ headers: ['a'] }, 'headers'],
])('%j is refused', async (config, message) => {
  const destination = { type: 'Webhook', config: { url, ...config } }
  const response = await service.request('POST', exportsPath, {
    body: { name: 'x', interval: 'hour', destination },
  })
  expect([response.status, response.text]).toEqual([400, expect.stringContaining(message)])
})

test('POST /api/projects/:project_id/batch_exports/test_connection/ tests a receiver before it is saved', async () => {
  const { origin, received } = await receiver()
  const signing_secret = 'planted-signing-secret'
  for (const config of [
    { url: origin, headers },
    { url: origin, headers, signing_secret },
  ]) {
    const body = { destination: { type: 'Webhook', config } }
    const response = await service.request('POST', `${exportsPath}test_connection/`, { body })
    expect(response.text).toContain('"ok":true')
  }
  expect(received).toHaveLength(2)
  for (const message of received.slice(1)) expectSigned(message)
  expect(received[0]?.headers.authorization).toBe(headers.Authorization)
})

test('a definition as YAML names a variable for each secret, and fills them in again', async () => {
  const made = await create({ headers, signing_secret: own })
  const { text } = await service.request('GET', `/api/projects/@current/batch_exports/as_yaml/?id=${made.id}`)
  expect(text).not.toContain('planted')
  expect(text).not.toContain(own)
  const variables = {
    SIGNING_SECRET: own,
    HEADER_AUTHORIZATION: headers.Authorization,
    HEADER_X_TEAM: 'team',
  }
  expect(readDefinitions(text, 'exports.yaml', variables).exports).toMatchObject([
    { destination: { config: { url, signing_secret: own, headers: { ...headers, 'X-Team': 'team' } } } },
  ])
})
