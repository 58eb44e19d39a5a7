import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { BatchExport } from '../../../contract/exports/batch-export.ts'
import { BatchExportChange } from '../../../contract/exports/batch-export-change.ts'
import { Integration } from '../../../contract/integrations/integration.ts'
import { cursorPage } from '../../../contract/page.ts'
import { openWorker } from '../../runs/worker.ts'
import { createIntegration } from '../../testing/test-integrations.ts'
import { insertEvents } from '../../testing/test-jobs.ts'
import { createExport, insertRun } from '../../testing/test-rows.ts'
import { startTestStore } from '../../testing/test-store.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
let store: Awaited<ReturnType<typeof startTestStore>>

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  store = await startTestStore()
})
afterAll(async () => {
  await store.stop()
  await service.stop()
})

const path = '/api/projects/@current/integrations/'
const exportsPath = '/api/projects/@current/batch_exports/'
const keys = { aws_access_key_id: 'S3RVER', aws_secret_access_key: 'S3RVER' }
const wrong = { ...keys, aws_access_key_id: 'planted-wrong' }

const connect = () => createIntegration(service, { endpoint_url: store.endpoint, ...keys })

let places = 0
const use = ({ id }: Integration, name: string, bucket_name = 'exports') =>
  createExport(service, {
    name,
    destination: {
      type: 'S3Compatible',
      config: { bucket_name, region: 'us-east-1', prefix: `rotated-${(places += 1)}` },
      integration_id: id,
    },
  })

const rotate = ({ id }: Integration, config: object) =>
  service.request('POST', `${path}${id}/rotate/`, { body: { config } })

const current = async ({ id }: Integration) =>
  bodyOf(Integration, await service.request('GET', `${path}${id}/`))

const storedSecrets = async ({ id }: Integration) => {
  const row = service.services.store.selectFrom('integrations').select('secrets').where('id', '=', id)
  return JSON.parse(service.services.secrets.open((await row.executeTakeFirstOrThrow()).secrets))
}

async function worksWith(batchExport: BatchExport): Promise<boolean> {
  const body = { id: batchExport.id, destination: { type: 'S3Compatible', config: {} } }
  const response = await service.request('POST', `${exportsPath}test_connection/`, { body })
  return bodyOf(z.object({ ok: z.boolean() }), response).ok
}

test('POST /api/projects/:project_id/integrations/:id/rotate/ returns 200 after testing every export, and all switch', async () => {
  const connection = await connect()
  const users = [await use(connection, 'Orders'), await use(connection, 'Carts')]
  const endpoint_url = store.endpoint.replace('127.0.0.1', 'localhost')
  service.clock.advance(60_000)
  const response = await rotate(connection, { endpoint_url, ...keys })
  expect(response.status, response.text).toBe(200)
  expect(response.text).not.toContain('S3RVER')
  expect(bodyOf(Integration, response)).toEqual({
    ...connection,
    config: { name: connection.display_name, endpoint_url },
    address: endpoint_url,
    used_by: 2,
    last_worked_at: '2026-03-04T10:31:00Z',
  })
  for (const each of users) {
    expect(await worksWith(each)).toBe(true)
    const history = await service.request('GET', `${exportsPath}${each.id}/changes/`)
    expect(bodyOf(cursorPage(BatchExportChange), history).results[0]).toMatchObject({
      kind: 'updated',
      by: 'Own key',
      fields: [
        {
          field: 'destination.integration.endpoint_url',
          before: store.endpoint,
          after: endpoint_url,
          secret: false,
        },
        { field: 'destination.integration.secrets', before: null, after: null, secret: true },
      ],
      revert_problem: expect.stringContaining('is not a setting'),
    })
  }
})

test('a secret that fails changes nothing, and the refusal names each export and why', async () => {
  const connection = await connect()
  const works = await use(connection, 'Orders')
  await use(connection, 'Carts')
  const response = await rotate(connection, { endpoint_url: store.endpoint, ...wrong })
  expect(response.status, response.text).toBe(400)
  const { detail, attr, issues } = problemOf(response)
  expect(attr).toBe('config')
  expect(detail).toMatch(
    /^Nothing was changed, because 2 of 2 batch exports do not work with the new config\. "Carts": /,
  )
  expect(issues?.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^"Carts": \w+: The store does not know the access key/),
    expect.stringMatching(/^"Orders": /),
  ])
  expect(response.text).not.toContain('planted')
  expect(await storedSecrets(connection)).toEqual(keys)
  expect(await current(connection)).toMatchObject({ config: connection.config, errors: '' })
  expect(await worksWith(works)).toBe(true)
})

test('all or none: one export that does not work keeps the others', async () => {
  const connection = await connect()
  await use(connection, 'Orders')
  await use(connection, 'Lost', 'nowhere')
  const response = await rotate(connection, { endpoint_url: store.endpoint, ...keys })
  const { detail } = problemOf(response)
  expect(detail).toContain('1 of 2 batch exports does not work')
  expect(detail).toContain('"Lost": Bucket: There is no bucket "nowhere"')
  expect(detail).not.toContain('Orders')
})

test('the whole config is required, secrets included; only the name is kept', async () => {
  const connection = await connect()
  const missing = await rotate(connection, { endpoint_url: store.endpoint })
  expect(problemOf(missing)).toMatchObject({
    attr: 'config__aws_access_key_id',
    detail: "Configuration missing required field: 'aws_access_key_id'",
  })
  const other = await connect()
  const taken = await rotate(connection, { name: other.display_name, endpoint_url: store.endpoint, ...keys })
  expect(problemOf(taken).detail).toBe(`An integration named '${other.display_name}' already exists`)
  const renamed = await rotate(connection, { name: 'Renamed', endpoint_url: store.endpoint, ...keys })
  expect(bodyOf(Integration, renamed).display_name).toBe('Renamed')
})

test('an export that is read before a rotation sends its secrets to no other address', async () => {
  const connection = await connect()
  const { id } = await use(connection, 'Orders')
  const { store: rows } = service.services
  const before = await rows
    .selectFrom('batch_exports')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const endpoint_url = store.endpoint.replace('127.0.0.1', 'localhost')
  expect((await rotate(connection, { endpoint_url, ...keys })).status).toBe(200)
  const { openDestination } = await import('../../destinations/destination-drivers.ts')
  await expect(openDestination(service.services, before)).rejects.toThrow('rotated to another address')
})

test('runs and tests note when a connection last worked and failed', async () => {
  const connection = await connect()
  const made = await use(connection, 'Noted')
  const at = service.clock.now()
  await insertEvents(service.services, service.own.project_id, [{ timestamp: at - 7_000_000 }])
  const window = {
    data_interval_start: new Date(at - 7_200_000),
    data_interval_end: new Date(at - 3_600_000),
  }
  const work = async () => {
    const run = await insertRun(service, made, {
      ...window,
      status: 'Starting',
      selects_by: 'time',
      finished_at: null,
    })
    await openWorker(service.services).work(run.id)
  }
  await work()
  expect(await current(connection)).toMatchObject({
    last_worked_at: expect.any(String),
    last_failed_at: null,
  })
  const sealed = service.services.secrets.seal(JSON.stringify(wrong))
  await service.services.store
    .updateTable('integrations')
    .set({ secrets: sealed })
    .where('id', '=', connection.id)
    .execute()
  service.clock.advance(1000)
  await work()
  const failing = await current(connection)
  expect(failing.errors).toContain('does not know the access key')
  expect(JSON.stringify(failing)).not.toContain('planted')
  const right = service.services.secrets.seal(JSON.stringify(keys))
  await service.services.store
    .updateTable('integrations')
    .set({ secrets: right })
    .where('id', '=', connection.id)
    .execute()
  service.clock.advance(1000)
  expect(await worksWith(made)).toBe(true)
  expect(await current(connection)).toMatchObject({ errors: '', last_failed_at: failing.last_failed_at })
})

test('a key needs the scopes of connections and of exports to rotate', async () => {
  const connection = await connect()
  const key = await service.newKey({ scopes: ['integration:write'] })
  const body = { config: { endpoint_url: store.endpoint, ...keys } }
  const refused = await service.request('POST', `${path}${connection.id}/rotate/`, { body, key })
  expect([refused.status, problemOf(refused).detail]).toEqual([
    403,
    "API key missing required scope 'batch_export:write'",
  ])
})
