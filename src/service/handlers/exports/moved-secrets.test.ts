import { afterAll, beforeAll, expect, test } from 'vitest'
import { BatchExport } from '../../../contract/exports/batch-export.ts'
import { secretRequired } from '../../../contract/destinations/moved-secrets.ts'
import { createExport, ownPrefix, s3Destination } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
})
afterAll(() => service.stop())

const exportsPath = '/api/projects/@current/batch_exports/'
const changesPath = '/api/projects/@current/batch_export_changes/'
const { aws_access_key_id, aws_secret_access_key } = s3Destination.config
const secrets = { aws_access_key_id, aws_secret_access_key }
const here = 'http://127.0.0.1:9'
const elsewhere = { endpoint_url: 'http://127.0.0.1:10' }

/** Creates an export to the store at an endpoint, by default `here`; returns also its config without secrets. */
async function stored(endpoint: object = { endpoint_url: here }) {
  const destination = ownPrefix()
  const config = { ...destination.config, ...endpoint }
  const made = await createExport(service, {
    name: config.prefix,
    destination: { ...destination, config },
  })
  return { ...made, config: made.destination.config ?? {} }
}

type Stored = Awaited<ReturnType<typeof stored>>

const s3 = (config: object) => ({ type: 'S3', config })

const edit = ({ id }: Stored, config: object) =>
  service.request('PATCH', `${exportsPath}${id}/`, { body: { destination: { config } } })

/** Clones an export into a folder of its own. */
const clone = ({ id, config }: Stored, change: object, path = exportsPath) =>
  service.request('POST', path, {
    body: {
      name: 'Copy',
      interval: 'hour',
      cloned_from: id,
      destination: s3({ ...config, prefix: `${path}${id}`, ...change }),
    },
  })

const requests: Record<string, typeof edit> = {
  'PATCH /api/projects/:project_id/batch_exports/:id/': edit,
  'PUT /api/projects/:project_id/batch_exports/:id/': ({ id, name, config }, change) =>
    service.request('PUT', `${exportsPath}${id}/`, {
      body: { name, interval: 'hour', destination: s3({ ...config, ...change }) },
    }),
  'POST /api/projects/:project_id/batch_exports/ of a clone': (made, change) => clone(made, change),
  'POST /api/organizations/:organization_id/batch_exports/ of a clone': (made, change) =>
    clone(made, change, '/api/organizations/@current/batch_exports/'),
  'POST /api/projects/:project_id/batch_exports/test_connection/': ({ id }, change) =>
    service.request('POST', `${exportsPath}test_connection/`, { body: { id, destination: s3(change) } }),
  'POST /api/projects/:project_id/batch_exports/apply/': ({ name, config }, change) =>
    service.request('POST', `${exportsPath}apply/`, {
      body: { exports: [{ name, interval: 'hour', destination: s3({ ...config, ...change }) }] },
    }),
}

test.each(Object.entries(requests))('%s sends no stored secret to another address', async (name, send) => {
  const made = await stored()
  const refused = await send(made, elsewhere)
  const issues = Object.keys(secrets).map((field) => ({
    path: [...(name.includes('apply') ? ['exports', 0] : []), 'destination', 'config', field],
    message: secretRequired,
  }))
  expect(refused.status, refused.text).toBe(400)
  expect(problemOf(refused)).toMatchObject({
    code: 'required',
    attr: issues[0]?.path.join('__'),
    detail: secretRequired,
    issues,
  })
  const half = await send(made, { ...elsewhere, aws_access_key_id })
  expect(problemOf(half)).toMatchObject({ code: 'required', attr: issues[1]?.path.join('__') })
  for (const empty of [null, '']) {
    const response = await send(made, { ...elsewhere, aws_access_key_id, aws_secret_access_key: empty })
    expect(response.status, response.text).toBe(400)
  }
  const changed = await send(made, { ...elsewhere, ...secrets })
  expect(changed.status, changed.text).toBeLessThan(300)
})

test.each([
  ['removing the endpoint', here, null],
  ['omitting the endpoint', here, undefined],
  ['adding an endpoint', null, here],
  ['another port', here, 'http://127.0.0.1:90'],
  ['another scheme', here, 'https://127.0.0.1:9'],
  ['another path', `${here}/one`, `${here}/two`],
  ['a spelling that libraries read differently', here, `${here}\\@127.0.0.2/..`],
])('%s requires the secrets', async (_, before, after) => {
  const made = await stored({ endpoint_url: before })
  const { endpoint_url: __, ...config } = made.config
  const response = await clone({ ...made, config }, after === undefined ? {} : { endpoint_url: after })
  expect([response.status, problemOf(response).code]).toEqual([400, 'required'])
})

const virtual = { use_virtual_style_addressing: true }
const local = { endpoint_url: 'http://localhost:9/store' }
test.each([
  ['a bucket in the host name', local, { bucket_name: 'evil', ...virtual }],
  ['the same bucket in the host name', local, virtual],
  ['another bucket in the host name', { ...local, ...virtual }, { bucket_name: 'evil' }],
  ['no bucket in the host name', { ...local, ...virtual }, { use_virtual_style_addressing: false }],
  [
    'a bucket before a computer at Amazon',
    { endpoint_url: 'https://ec2-192-0-2-1.compute.amazonaws.com' },
    virtual,
  ],
  ['Amazon in China', {}, { region: 'cn-north-1' }],
])('%s is another host, which requires the secrets', async (_, before, change) => {
  const made = await stored(before)
  const refused = await edit(made, change)
  expect([refused.status, problemOf(refused)]).toMatchObject([
    400,
    { code: 'required', detail: secretRequired },
  ])
  expect((await edit(made, { ...change, ...secrets })).status).toBe(200)
})

test('the same address in another spelling, and other settings, keep the secrets', async () => {
  const onAmazon = { endpoint_url: 'https://s3.eu-central-1.amazonaws.com' }
  const changes: [object, object][] = [
    [local, { endpoint_url: 'HTTP://LocalHost:9/store/' }],
    [local, { region: 'us-east-1', bucket_name: 'another', prefix: 'another/' }],
    [
      { ...local, ...virtual },
      { region: 'cn-north-1', prefix: 'another/' },
    ],
    [onAmazon, { bucket_name: 'another', ...virtual }],
    [{}, { endpoint_url: null, region: 'us-west-1', bucket_name: 'another', ...virtual }],
  ]
  for (const [before, change] of changes) {
    const response = await edit(await stored(before), change)
    expect(response.status, response.text).toBe(200)
  }
})

test('a revert to another address is refused, since the history has no secrets', async () => {
  const made = await stored()
  const newest = async () => {
    const { body } = await service.request('GET', `${changesPath}?batch_export=${made.id}`)
    return (body as { results: { id: string }[] }).results[0]?.id
  }
  expect((await edit(made, { ...elsewhere, ...secrets, aws_secret_access_key: 'another' })).status).toBe(200)
  const response = await service.request('POST', `${changesPath}${await newest()}/revert/`, { body: {} })
  expect([response.status, problemOf(response).code, problemOf(response).detail]).toEqual([
    400,
    'required',
    secretRequired,
  ])
  const kept = bodyOf(BatchExport, await service.request('GET', `${exportsPath}${made.id}/`))
  expect(kept.destination.config).toMatchObject(elsewhere)
})
