import { readdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { DestinationTest } from '../../../contract/destinations/destination-test.ts'
import { tryDestination } from '../../destinations/try-destination.ts'
import { startTestStore } from '../../testing/test-store.ts'
import { createExport } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
let store: Awaited<ReturnType<typeof startTestStore>>
const stubs: Server[] = []

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  store = await startTestStore()
})
afterEach(() => {
  for (const stub of stubs.splice(0)) stub.close().closeAllConnections()
})
afterAll(async () => {
  await store.stop()
  await service.stop()
})

const secrets = { aws_access_key_id: 'S3RVER', aws_secret_access_key: 'S3RVER' }

function bucket(change: object = {}) {
  const place = { bucket_name: 'exports', region: 'eu-central-1', endpoint_url: store.endpoint }
  return { type: 'S3', config: { ...place, prefix: 'trial/{year}/', ...secrets, ...change } }
}

/** Starts a store that rejects every object request with this error or, given null, never responds. */
async function stubStore(refusal: { status: number; code: string } | null): Promise<string> {
  const server = createServer((request, response) => {
    if (request.method === 'HEAD') return void response.writeHead(400).end()
    if (!refusal) return
    response.writeHead(refusal.status, { 'content-type': 'application/xml' })
    response.end(
      `<Error><Code>${refusal.code}</Code><Message>Access Denied, ${secrets.aws_secret_access_key}</Message></Error>`,
    )
  })
  stubs.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the stub has no port')
  return `http://127.0.0.1:${address.port}`
}

function ask(body: object) {
  return service.request('POST', '/api/projects/@current/batch_exports/test_connection/', { body })
}

async function trial(destination: object, more: object = {}) {
  const response = await ask({ destination, ...more })
  expect(response.status, response.text).toBe(200)
  return bodyOf(DestinationTest, response)
}

function outline({ steps }: DestinationTest): string {
  return steps.map(({ name, status }) => `${name} ${status}`).join(', ')
}

test('POST /api/projects/:project_id/batch_exports/test_connection/ returns 200 with each step, and leaves no file behind', async () => {
  const found = await trial(bucket())
  expect(outline(found), JSON.stringify(found)).toBe(
    'Address ok, Reach ok, Credentials ok, Bucket ok, Write ok, Remove ok',
  )
  expect(found.ok).toBe(true)
  expect(found.steps[4]?.detail).toMatch(/^Wrote trial\/2026\/spool-connection-test-/)
  const listed = await fetch(`${store.endpoint}/exports?list-type=2&prefix=trial/`)
  expect(await listed.text()).not.toContain('spool-connection-test')
})

test.each(['Parquet', 'JSONLines'])('tests a folder with a %s file', async (file_format) => {
  const found = await trial({ type: 'File', config: { path: 'trial', file_format, compression: 'gzip' } })
  expect(outline(found)).toBe(
    'Address skipped, Reach skipped, Credentials skipped, Bucket skipped, Write ok, Remove ok',
  )
  expect(await readdir(`${service.services.exportsFolder}/${service.own.project_id}/trial`)).toEqual([])
})

test('reports a missing bucket and what to do', async () => {
  const found = await trial(bucket({ bucket_name: 'nowhere' }))
  expect(outline(found)).toBe(
    'Address ok, Reach ok, Credentials ok, Bucket failed, Write skipped, Remove skipped',
  )
  expect(found.ok).toBe(false)
  expect(found.steps[3]?.detail).toContain(`There is no bucket "nowhere" at ${store.endpoint}.`)
  expect(found.steps[3]?.remedy).toBe("Create it, or change the destination's bucket name or region.")
})

test.each([
  ['InvalidAccessKeyId', /does not know the access key/],
  ['SignatureDoesNotMatch', /does not accept the secret access key/],
])('reports credentials that the store rejects with %s, without revealing them', async (code, detail) => {
  const endpoint_url = await stubStore({ status: 403, code })
  const given = bucket({ endpoint_url, aws_secret_access_key: 'S3RVER', aws_access_key_id: 'AKIA-mine' })
  const found = await trial(given)
  expect(outline(found)).toBe(
    'Address ok, Reach ok, Credentials failed, Bucket skipped, Write skipped, Remove skipped',
  )
  expect(found.steps[2]?.detail).toMatch(detail)
  expect(found.steps[2]?.remedy).toMatch(/^(Check|Enter) /)
  expect(JSON.stringify(found)).not.toMatch(/S3RVER|AKIA-mine/)
})

test('reports credentials without write access at the write step', async () => {
  const endpoint_url = await stubStore({ status: 403, code: 'AccessDenied' })
  const found = await trial(bucket({ endpoint_url }))
  expect(outline(found)).toBe('Address ok, Reach ok, Credentials ok, Bucket ok, Write failed, Remove skipped')
  expect(found.steps[4]?.detail).toMatch(/Writing to the bucket "exports" was denied/)
  expect(JSON.stringify(found)).not.toContain('S3RVER')
})

test('reports an endpoint that refuses connections or does not exist', async () => {
  const endpoint_url = await stubStore(null)
  stubs.splice(0).forEach((stub) => stub.close().closeAllConnections())
  const silent = await trial(bucket({ endpoint_url }))
  expect(outline(silent)).toMatch(/^Address ok, Reach failed, Credentials skipped/)
  expect(silent.steps[1]?.detail).toMatch(/refused the connection/)
  const unknown = await trial(bucket({ endpoint_url: 'http://nowhere.invalid' }))
  expect(outline(unknown)).toMatch(/^Address failed, Reach skipped/)
  expect(unknown.steps[0]?.detail).toMatch(/The host of http:\/\/nowhere.invalid was not found/)
})

test('gives up on a store that does not respond within the limit, and ends the request', async () => {
  const endpoint_url = await stubStore(null)
  let unanswered = 0
  stubs.at(-1)?.on('request', ({ method }, response) => {
    if (method === 'HEAD') return
    unanswered += 1
    response.once('close', () => (unanswered -= 1))
  })
  const { secrets: box, ...rest } = service.services
  const { config } = bucket({ endpoint_url })
  const row = {
    project_id: service.own.project_id,
    destination_type: 'S3' as const,
    destination_config: Object.fromEntries(Object.entries(config).filter(([name]) => !(name in secrets))),
    destination_secrets: box.seal(JSON.stringify(secrets)),
    integration_id: null,
    integration_config: null,
  }
  const { ok, steps } = await tryDestination({ ...rest, secrets: box }, row, { limitMs: 800 })
  expect(ok).toBe(false)
  expect(steps.find(({ status }) => status === 'failed')?.detail).toBe('No response within 0.8 seconds.')
  await vi.waitFor(() => expect(unanswered).toBe(0), 10_000)
})

test('with the id of an export, omitted fields take its stored values; the type must be the same', async () => {
  const made = await createExport(service, { destination: bucket() })
  expect((await trial({ type: 'S3', config: {} }, { id: made.id })).ok).toBe(true)
  expect((await trial({ type: 'S3', config: { bucket_name: 'nowhere' } }, { id: made.id })).ok).toBe(false)
  const other = await ask({ destination: { type: 'File', config: { path: 'a' } }, id: made.id })
  expect([other.status, problemOf(other).attr]).toEqual([400, 'destination__type'])
})

test('rejects the id of an export that the key cannot access', async () => {
  const path = `/api/projects/${service.secondProjectId}/batch_exports/`
  const other = await createExport(service, { destination: bucket({ prefix: 'elsewhere' }) }, path)
  for (const id of [other.id, 'junk']) {
    const response = await ask({ destination: { type: 'S3', config: {} }, id })
    expect([response.status, problemOf(response).attr]).toEqual([400, 'id'])
  }
})

test('rejects an invalid destination with the same error as creating an export', async () => {
  for (const destination of [
    bucket({ region: '' }),
    bucket({ endpoint_url: 'http://10.0.0.1' }),
    { type: 'File', config: { path: '../up' } },
    { type: 'Fax' },
  ]) {
    const tried = await ask({ destination })
    const input = { name: 'x', interval: 'hour', destination }
    const created = await service.request('POST', '/api/projects/@current/batch_exports/', { body: input })
    expect(tried.status).toBe(400)
    expect({ ...problemOf(tried), request_id: '' }).toEqual({ ...problemOf(created), request_id: '' })
  }
})
