import { afterAll, beforeAll, expect, test } from 'vitest'
import { BatchExport } from '../../../contract/exports/batch-export.ts'
import { BatchExportChange } from '../../../contract/exports/batch-export-change.ts'
import { Integration } from '../../../contract/integrations/integration.ts'
import { cursorPage } from '../../../contract/page.ts'
import { findBatchExport } from '../../store/runs/batch-exports.ts'
import { connectionConfigs, createIntegration } from '../../testing/test-integrations.ts'
import { createExport } from '../../testing/test-rows.ts'
import { slowChecks } from './slow-checks.ts'
import { writeChange } from './update-batch-export.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
const exportsPath = '/api/projects/@current/batch_exports/'

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
})
afterAll(() => service.stop())

let places = 0
const place = (change: object = {}) => ({
  bucket_name: 'lake',
  region: 'eu-central-1',
  prefix: `place-${(places += 1)}/`,
  ...change,
})

const create = (destination: object, more: object = {}) =>
  service.request('POST', exportsPath, {
    body: { name: 'Connected', interval: 'hour', destination, ...more },
  })

const edit = (id: string, destination: object) =>
  service.request('PATCH', `${exportsPath}${id}/`, { body: { destination } })

async function made(destination: object, more: object = {}) {
  const response = await create(destination, more)
  expect(response.status, response.text).toBe(201)
  return bodyOf(BatchExport, response)
}

async function refusal(destination: object) {
  const response = await create(destination)
  expect(response.status, response.text).toBe(400)
  const { detail, attr, code } = problemOf(response)
  return { detail, attr, code }
}

const aws = () => createIntegration(service, {}, '@current', 'aws-s3')

test('an export uses a connection by its id, which responses name', async () => {
  const { id } = await aws()
  const config = place()
  const { destination } = await made({ type: 'AwsS3', config, integration_id: id })
  expect(destination).toEqual({
    type: 'AwsS3',
    config: { ...config, legacy_parquet_extension: false },
    integration: id,
  })
  const compatible = await createIntegration(service)
  const sent = { type: 'S3Compatible', config: place(), integration: String(compatible.id) }
  expect((await made(sent)).destination.integration).toBe(compatible.id)
  const used = await service.request('GET', `/api/projects/@current/integrations/${id}/`)
  expect(bodyOf(Integration, used).used_by).toBe(1)
  expect((await createExport(service)).destination.integration).toBeNull()
})

test('numbers and switches that are sent as text are stored as such', async () => {
  const { id } = await createIntegration(service)
  const config = place({
    max_file_size_mb: '5',
    use_virtual_style_addressing: 'True',
    legacy_parquet_extension: 'false',
  })
  const { destination } = await made({ type: 'S3Compatible', config, integration_id: String(id) })
  expect(destination.config).toEqual({
    ...config,
    max_file_size_mb: 5,
    use_virtual_style_addressing: true,
    legacy_parquet_extension: false,
  })
})

test('requires a connection of the right kind and project', async () => {
  const { id } = await aws()
  const second = await createIntegration(service, {}, service.secondProjectId, 'aws-s3')
  const other = await createIntegration(service)
  const attr = 'destination__integration_id'
  for (const none of [{}, { integration_id: null }])
    expect(await refusal({ type: 'AwsS3', config: place(), ...none })).toEqual({
      detail: 'Integration is required for AwsS3 batch exports',
      attr: 'destination',
      code: 'invalid_input',
    })
  for (const unknown of [second.id, 999_999_999])
    expect(await refusal({ type: 'AwsS3', config: place(), integration_id: unknown })).toEqual({
      detail: `Invalid pk "${unknown}" - object does not exist.`,
      attr,
      code: 'does_not_exist',
    })
  expect(await refusal({ type: 'AwsS3', config: place(), integration_id: other.id })).toMatchObject({
    detail: "AwsS3 batch exports use an integration of the kind 'aws-s3' (got kind='s3-compatible').",
    attr,
  })
  expect(await refusal({ type: 'File', config: { path: 'a' }, integration_id: id })).toMatchObject({ attr })
})

test('refuses fields that the connection holds, and blank ones', async () => {
  const { id: integration_id } = await aws()
  const detailOf = async (change: object) =>
    (await refusal({ type: 'AwsS3', config: place(change), integration_id })).detail
  expect(await detailOf({ endpoint_url: 'http://127.0.0.1:9', aws_access_key_id: 'a' })).toBe(
    "Configuration has unknown field/s: 'aws_access_key_id', 'endpoint_url'",
  )
  expect(await detailOf({ use_virtual_style_addressing: true })).toContain('unknown field/s')
  expect(await detailOf({ prefix: undefined })).toBe("Configuration missing required field: 'prefix'")
  expect(await detailOf({ prefix: ' ', region: '' })).toBe(
    "The following inputs are empty: ['region', 'prefix']",
  )
  expect(await detailOf({ legacy_parquet_extension: true })).toContain('cannot be turned on')
  expect(await detailOf({ compression: 'lz4' })).toContain('Compression lz4 is not supported')
})

test('a change keeps the connection unless it names another', async () => {
  const [one, other] = [await aws(), await aws()]
  const { id } = await made({ type: 'AwsS3', config: place(), integration_id: one.id })
  const changed = async (destination: object) => {
    const response = await edit(id, destination)
    expect(response.status, response.text).toBe(200)
    return bodyOf(BatchExport, response).destination
  }
  expect(await changed({ config: { compression: 'gzip' } })).toMatchObject({
    integration: one.id,
    config: { compression: 'gzip' },
  })
  expect((await changed({ integration_id: other.id })).integration).toBe(other.id)
  const removed = await edit(id, { integration_id: null })
  expect([removed.status, problemOf(removed).detail]).toEqual([
    400,
    'Integration is required for AwsS3 batch exports',
  ])
  const history = await service.request('GET', `${exportsPath}${id}/changes/`)
  expect(history.body).toMatchObject({
    results: [
      {
        fields: [
          {
            field: 'destination.integration',
            before: one.display_name,
            after: other.display_name,
            secret: false,
          },
        ],
      },
      {},
      {},
    ],
  })
  const [{ id: change } = { id: '' }] = (history.body as { results: { id: string }[] }).results
  const reverted = await service.request(
    'POST',
    `/api/projects/@current/batch_export_changes/${change}/revert/`,
    {
      body: {},
    },
  )
  expect(bodyOf(BatchExport, reverted).destination.integration).toBe(one.id)
})

test('a copy uses the connection of its original, in its project', async () => {
  const { id: integration_id } = await aws()
  const { id } = await made({ type: 'AwsS3', config: place(), integration_id })
  const copy = await made({ type: 'AwsS3', config: place() }, { cloned_from: id })
  expect(copy.destination.integration).toBe(integration_id)
  const response = await service.request('POST', '/api/organizations/@current/batch_exports/', {
    body: {
      name: 'Elsewhere',
      interval: 'hour',
      destination: { type: 'AwsS3', config: place() },
      cloned_from: id,
      team_id: service.secondProjectId,
    },
  })
  expect([response.status, problemOf(response).detail]).toEqual([
    400,
    'Integration is required for AwsS3 batch exports',
  ])
})

const inline = { aws_access_key_id: 'AKIA', aws_secret_access_key: 'very-secret' }

test.each([
  ['AwsS3', 'aws-s3'],
  ['S3Compatible', 's3-compatible'],
] as const)('S3 becomes %s with its config, and forgets its keys', async (type, kind) => {
  const { id: integration_id } = await createIntegration(service, {}, '@current', kind)
  const config = place({ compression: 'gzip' })
  const { id } = await made({ type: 'S3', config: { ...config, ...inline } })
  const response = await edit(id, { type, integration_id })
  expect(response.status, response.text).toBe(200)
  expect(bodyOf(BatchExport, response).destination).toEqual({
    type,
    config: { ...config, legacy_parquet_extension: false },
    integration: integration_id,
  })
  const rows = service.services.store.selectFrom('batch_exports').select('destination_secrets')
  expect(await rows.where('id', '=', id).executeTakeFirst()).toEqual({ destination_secrets: null })
})

test('other changes of the type are refused', async () => {
  const { id: integration_id } = await aws()
  const { id } = await made({ type: 'AwsS3', config: place(), integration_id })
  for (const [type, config] of [
    ['S3', { ...place(), ...inline }],
    ['File', { path: 'a' }],
  ] as const) {
    const response = await edit(id, { type, config })
    expect([response.status, problemOf(response).attr, problemOf(response).detail]).toEqual([
      400,
      'destination',
      `Cannot change destination type from 'AwsS3' to '${type}'. Delete this batch export and create a new one with the new destination type.`,
    ])
  }
  const unknown = await edit(id, { type: 'Snowflake' })
  expect(problemOf(unknown).detail).toContain("Available destinations: ['S3', 'AwsS3', 'S3Compatible',")
})

test('exports of the S3 family share the names of their files', async () => {
  const compatible = await createIntegration(service)
  const { endpoint_url } = connectionConfigs['s3-compatible']
  const config = place()
  await made({ type: 'S3', config: { ...config, ...inline, endpoint_url } }, { name: 'First' })
  const same = { type: 'S3Compatible', config, integration_id: compatible.id }
  expect((await refusal(same)).detail).toContain('The batch export "First" already writes files')
  const elsewhere = await createIntegration(service, { endpoint_url: 'http://127.0.0.1:10' })
  await made({ ...same, integration_id: elsewhere.id })
  const { id: integration_id } = await aws()
  await made({ type: 'AwsS3', config, integration_id })
  expect((await refusal({ type: 'S3', config: { ...config, ...inline } })).detail).toContain('already writes')
})

test('a table uses a connection or fields of its own', async () => {
  const server = { host: '127.0.0.1', user: 'spool', password: 'very-secret' }
  const { id: integration_id } = await createIntegration(service, {}, '@current', 'postgresql')
  const table = () => ({ database: 'shop', table_name: `events_${(places += 1)}` })
  const own = await made({ type: 'Postgres', config: { ...table(), ...server, port: '5433' } })
  expect(own.destination).toMatchObject({ integration: null, config: { host: '127.0.0.1', port: 5433 } })
  const both = { type: 'Postgres', config: { ...table(), ...server }, integration_id }
  expect((await refusal(both)).detail).toBe("Configuration has unknown field/s: 'host', 'password', 'user'")
  const switched = bodyOf(BatchExport, await edit(own.id, { integration_id }))
  expect(switched.destination.integration).toBe(integration_id)
  expect(switched.destination.config).not.toHaveProperty('host')
  expect((await edit(own.id, { integration_id: null })).status).toBe(400)
  expect((await edit(own.id, { integration_id: null, config: server })).status).toBe(200)
})

test('a connection in use is kept, and the refusal names the exports', async () => {
  const { id } = await aws()
  const first = await made({ type: 'AwsS3', config: place(), integration_id: id }, { name: 'Orders' })
  const other = await made({ type: 'AwsS3', config: place(), integration_id: id }, { name: 'Carts' })
  const remove = () => service.request('DELETE', `/api/projects/@current/integrations/${id}/`)
  const refused = await remove()
  expect([refused.status, problemOf(refused).detail]).toEqual([
    400,
    'This integration is used by batch exports: Carts, Orders. Update them to use a different integration before disconnecting it.',
  ])
  for (const each of [first, other]) await service.request('DELETE', `${exportsPath}${each.id}/`)
  expect((await remove()).status).toBe(204)
  // The deleted exports can still be read back; without a connection, they cannot run.
  const rows = service.services.store.selectFrom('batch_exports').select('integration_id')
  expect(await rows.where('id', '=', first.id).executeTakeFirst()).toEqual({ integration_id: null })
})

test('a deleted export whose connection was deleted too is restored with one that replaces it, else refused', async () => {
  const { id: lost, config } = await aws()
  const name = String(config['name'])
  const { id } = await made({ type: 'AwsS3', config: place(), integration_id: lost })
  await service.request('DELETE', `${exportsPath}${id}/`)
  await service.request('DELETE', `/api/projects/@current/integrations/${lost}/`)
  const changes = '/api/projects/@current/batch_export_changes/'
  const listed = await service.request('GET', `${changes}?batch_export=${id}`)
  const [deletion] = bodyOf(cursorPage(BatchExportChange), listed).results
  const restore = () => service.request('POST', `${changes}${deletion?.id}/revert/`, { body: {} })
  const refused = await restore()
  expect([refused.status, problemOf(refused).detail]).toEqual([
    409,
    `The connection "${name}" of the batch export was deleted too: create a connection with this name and the kind aws-s3, then restore the batch export.`,
  ])
  expect((await service.request('GET', `${exportsPath}${id}/`)).status).toBe(404)
  await createIntegration(service, { name })
  expect((await restore()).status).toBe(409)
  const replacement = await createIntegration(service, { name }, '@current', 'aws-s3')
  const restored = await restore()
  expect(restored.status, restored.text).toBe(200)
  expect(bodyOf(BatchExport, restored)).toMatchObject({
    paused: true,
    destination: { integration: replacement.id },
  })
})

test('a connection that is deleted while a change is checked is refused', async () => {
  const { id: integration_id } = await aws()
  const { id } = await made({ type: 'S3', config: { ...place(), ...inline } })
  const batchExport = await findBatchExport(service.services.store, [service.own.project_id], id)
  const checks = slowChecks(service.services)
  await checks.connection(service.own.project_id, integration_id)
  await service.request('DELETE', `/api/projects/@current/integrations/${integration_id}/`)
  const request = { services: service.services, caller: { name: 'Own key', isPerson: false }, checks }
  if (!batchExport) throw new Error('the export is gone')
  const changing = writeChange(
    { ...request, batchExport },
    { destination: { type: 'AwsS3', integration_id } },
  )
  await expect(changing).rejects.toMatchObject({ details: { status: 400, code: 'does_not_exist' } })
})
