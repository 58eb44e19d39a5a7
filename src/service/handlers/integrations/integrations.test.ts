import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Integration } from '../../../contract/integrations/integration.ts'
import { integrationKinds } from '../../../contract/integrations/integration-kinds.ts'
import { offsetPage } from '../../../contract/page.ts'
import { connectionConfigs, createIntegration, type ConnectionKind } from '../../testing/test-integrations.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
const path = '/api/projects/@current/integrations/'
const kinds = Object.keys(connectionConfigs) as ConnectionKind[]

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
})
afterAll(() => service.stop())
beforeEach(async () => {
  await service.services.store.deleteFrom('integrations').execute()
})

const create = (kind: string, config: object) => service.request('POST', path, { body: { kind, config } })

async function refusal(kind: string, config: object) {
  const response = await create(kind, config)
  expect(response.status, response.text).toBe(400)
  return problemOf(response)
}

const list = async (search = '') =>
  bodyOf(offsetPage(Integration), await service.request('GET', `${path}${search}`))

test.each(kinds)('POST and GET return a connection of the kind %s without its secrets', async (kind) => {
  const made = await createIntegration(service, {}, '@current', kind)
  const response = await service.request('GET', `${path}${made.id}/`)
  expect(bodyOf(Integration, response)).toEqual(made)
  expect(made).toMatchObject({
    kind,
    created_at: expect.any(String),
    created_by: { uuid: expect.any(String) },
    errors: '',
    used_by: 0,
    last_worked_at: null,
    last_failed_at: null,
  })
  for (const secret of integrationKinds[kind].secrets) expect(made.config).not.toHaveProperty(secret)
  expect(response.text + (await service.request('GET', path)).text).not.toMatch(/planted-|cGxhbnRlZA/)
  const rows = service.services.store.selectFrom('integrations').select(['config', 'secrets'])
  const { config, secrets } = await rows.executeTakeFirstOrThrow()
  expect(JSON.stringify(config) + secrets.toString('latin1')).not.toContain('planted')
  expect(service.services.secrets.open(secrets)).toContain('planted')
})

test('POST /api/projects/:project_id/integrations/ returns 201 and stores defaults, and numbers and switches that are sent as text', async () => {
  const server = { host: '127.0.0.1', user: 'u', password: 'p' }
  const configOf = async (kind: ConnectionKind, config: object) =>
    bodyOf(Integration, await create(kind, config)).config
  expect(await configOf('postgresql', { ...server, port: '5433' })).toEqual({
    host: '127.0.0.1',
    port: 5433,
    user: 'u',
    ssl_mode: 'require',
  })
  expect(await configOf('mysql', server)).toMatchObject({ port: 3306 })
  expect(await configOf('clickhouse', { ...server, verify: 'false' })).toMatchObject({
    port: 8443,
    verify: false,
  })
})

test('a connection is named by its user, or after its account or server', async () => {
  const named = async (kind: ConnectionKind, config: object) => {
    const response = await create(kind, { ...connectionConfigs[kind], ...config })
    const { display_name, address } = bodyOf(Integration, response)
    return [display_name, address]
  }
  expect(await named('aws-s3', { name: ' Lake ' })).toEqual(['Lake', 'Amazon S3'])
  expect(await named('azure-blob', {})).toEqual(['lake', 'http://127.0.0.1:10000/lake'])
  expect(await named('postgresql', {})).toEqual(['spool@127.0.0.1', '127.0.0.1:5432'])
  expect(await named('postgresql', { name: 'Warehouse', host: '::1' })).toEqual(['Warehouse', '[::1]:5432'])
  expect(await refusal('aws-s3', connectionConfigs['aws-s3'])).toMatchObject({
    detail: "Configuration missing required field: 'name'",
    attr: 'config__name',
  })
})

test('POST refuses a name that another connection of the kind and project has', async () => {
  const config = { name: 'Lake' }
  await createIntegration(service, config, '@current', 'aws-s3')
  expect(await refusal('aws-s3', { ...connectionConfigs['aws-s3'], ...config })).toMatchObject({
    code: 'invalid_input',
    detail: "An integration named 'Lake' already exists",
    attr: null,
  })
  await createIntegration(service, config, '@current', 's3-compatible')
  await createIntegration(service, config, service.secondProjectId, 'aws-s3')
})

test.each([
  ['postgresql', { host: 'db.example.com:5432' }, 'host'],
  ['postgresql', { host: 'https://db.example.com' }, 'host'],
  ['postgresql', { host: 'user@db.example.com' }, 'host'],
  ['postgresql', { host: '/var/run/postgresql' }, 'host'],
  ['postgresql', { port: 70_000 }, 'port'],
  ['postgresql', { ssl_mode: 'disable' }, 'ssl_mode'],
  ['postgresql', { ssl_mode: 'verify-full' }, 'ssl_root_cert'],
  ['postgresql', { ssl_mode: 'verify-ca', ssl_root_cert: 'MIIC' }, 'ssl_root_cert'],
  ['mysql', { password: '' }, 'password'],
  ['clickhouse', { verify: 'perhaps' }, 'verify'],
  ['sftp', { host_key_fingerprint: 'MD5:00:11' }, 'host_key_fingerprint'],
  ['sftp', { password: null }, 'password'],
  ['sftp', { private_key: 'ssh-rsa AAAA' }, 'private_key'],
  ['s3-compatible', { endpoint_url: 'ftp://store' }, 'endpoint_url'],
  ['azure-blob', { connection_string: 'AccountName=lake' }, 'connection_string'],
  ['azure-blob', { connection_string: 'UseDevelopmentStorage=true' }, 'connection_string'],
] as const)('POST refuses a %s with %j', async (kind, change, field) => {
  const issue = await refusal(kind, { name: 'Odd', ...connectionConfigs[kind], ...change })
  expect(issue).toMatchObject({ attr: `config__${field}`, detail: expect.stringMatching(/^Configuration/) })
})

test('POST names unknown fields, and an unknown kind with those that there are', async () => {
  const { detail } = await refusal('aws-s3', { ...connectionConfigs['aws-s3'], name: 'Lake', role: 'x' })
  expect(detail).toBe("Configuration has unknown field/s: 'role'")
  expect(await refusal('snowflake', {})).toMatchObject({
    code: 'invalid_choice',
    attr: 'kind',
    detail: expect.stringMatching(
      /^"snowflake" is not a valid choice. Available kinds: \['aws-s3', .*'sftp'\]\.$/,
    ),
  })
})

test.each(['s3-compatible', 'azure-blob', 'postgresql', 'clickhouse', 'mysql', 'sftp'] as const)(
  'POST refuses a %s in a private network',
  async (kind) => {
    const config = JSON.parse(JSON.stringify(connectionConfigs[kind]).replaceAll('127.0.0.1', '10.0.0.1'))
    expect(await refusal(kind, { name: 'Private', ...config })).toMatchObject({
      attr: expect.stringMatching(/^config__(host|endpoint_url|connection_string)$/),
      detail: expect.stringContaining('SPOOL_ALLOW_PRIVATE_DESTINATIONS'),
    })
  },
)

test('GET /api/projects/:project_id/integrations/ returns 200 with the connections of the project, oldest first, by kind and in pages', async () => {
  for (const kind of ['mysql', 'aws-s3', 'sftp'] as const) {
    await createIntegration(service, {}, '@current', kind)
    service.clock.advance(1000)
  }
  await createIntegration(service, {}, service.secondProjectId)
  const shown = async (search?: string) => (await list(search)).results.map(({ kind }) => kind)
  expect(await shown()).toEqual(['mysql', 'aws-s3', 'sftp'])
  expect(await shown('?kind=aws-s3')).toEqual(['aws-s3'])
  expect(await shown('?kind=aws-s3&kind=sftp')).toEqual(['aws-s3', 'sftp'])
  expect(await shown('?kind=snowflake')).toEqual([])
  expect(await list('?limit=1&offset=1')).toMatchObject({
    count: 3,
    next: expect.stringContaining('offset=2'),
    results: [{ kind: 'aws-s3' }],
  })
  expect((await service.request('GET', `/api/environments/@current/integrations/`)).text).toContain('mysql')
})

test('GET /api/projects/:project_id/integrations/:id/ returns 200 with the connection', async () => {
  const made = await createIntegration(service)
  const response = await service.request('GET', `${path}${made.id}/`)
  expect([response.status, bodyOf(Integration, response)]).toEqual([200, made])
})

test('DELETE /api/projects/:project_id/integrations/:id/ returns 204 and removes the connection', async () => {
  const { id } = await createIntegration(service)
  expect((await service.request('DELETE', `${path}${id}/`)).status).toBe(204)
  for (const method of ['GET', 'DELETE'] as const)
    expect((await service.request(method, `${path}${id}/`)).status).toBe(404)
})
