import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DestinationTest } from '../../../contract/destinations/destination-test.ts'
import { exportRun } from '../../exporter/export-run.ts'
import { anyBatchExport } from '../../store/runs/batch-exports.ts'
import {
  accountKey,
  azuriteUnavailable,
  connectionString,
  startAzurite,
} from '../../testing/servers/azurite.ts'
import { sftpUnavailable, startSftpServer } from '../../testing/servers/sftp-server.ts'
import { createIntegration, type ConnectionKind } from '../../testing/test-integrations.ts'
import { createExport, runRow } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
})
afterAll(() => service.stop())

const project = '/api/projects/@current'

/** Creates a connection and an export that uses it, tests it, and writes the hour before; returns the file's key. */
async function exportThrough(kind: ConnectionKind, connection: object, destination: object): Promise<string> {
  const { services, own, clock } = service
  const { id } = await createIntegration(service, connection, '@current', kind)
  const created = await createExport(service, { destination: { ...destination, integration_id: id } })
  expect(created.destination.integration).toBe(id)
  const input = { id: created.id, destination: created.destination }
  const tried = await service.request('POST', `${project}/batch_exports/test_connection/`, { body: input })
  const { ok, steps } = bodyOf(DestinationTest, tried)
  expect(ok, JSON.stringify(steps)).toBe(true)
  const [at, team_id] = [clock.now() - 3_600_000, own.project_id]
  const event = { team_id, uuid: crypto.randomUUID(), event: 'paid', properties: '{}', distinct_id: 'a' }
  const times = Object.fromEntries(
    ['timestamp', 'created_at', 'inserted_at'].map((name) => [name, new Date(at).toISOString()]),
  )
  await services.warehouse.insert('events', JSON.stringify({ ...event, ...times }))
  const row = await anyBatchExport(services.store, created.id)
  const interval = {
    data_interval_start: new Date(at - 1_800_000),
    data_interval_end: new Date(at + 1_800_000),
  }
  const control = { onProgress: () => undefined, signal: new AbortController().signal }
  const { files } = await exportRun(services, row, runRow(row, clock.now(), interval), control)
  return files[0] ?? ''
}

async function refusal(destination: object) {
  const body = { name: 'Refused', interval: 'hour', destination }
  const response = await service.request('POST', `${project}/batch_exports/`, { body })
  expect(response.status, response.text).toBe(400)
  return problemOf(response).detail
}

test('Azure and SFTP require a connection, and names that they can keep', async () => {
  const config = { container_name: 'lake' }
  expect(await refusal({ type: 'AzureBlob', config })).toBe(
    'Integration is required for Azure Blob batch exports',
  )
  expect(await refusal({ type: 'SFTP', config: { path: 'in' } })).toBe(
    'Integration is required for SFTP batch exports',
  )
  const { id: azure } = await createIntegration(service, {}, '@current', 'azure-blob')
  const { id: sftp } = await createIntegration(service, {}, '@current', 'sftp')
  const refusals = await Promise.all([
    refusal({ type: 'AzureBlob', config: { container_name: 'Lake' }, integration_id: azure }),
    refusal({ type: 'AzureBlob', config: { ...config, prefix: 'a./b' }, integration_id: azure }),
    refusal({ type: 'AzureBlob', config, integration_id: sftp }),
    refusal({ type: 'SFTP', config: { path: '../up' }, integration_id: sftp }),
  ])
  expect(refusals).toEqual([
    expect.stringContaining('lower-case letters'),
    expect.stringContaining('a dot at the end'),
    expect.stringContaining("the kind 'azure-blob' (got kind='sftp')"),
    expect.stringContaining('without “..”'),
  ])
})

test('a connection to Azure shows the address of its account, and none of its secrets', async () => {
  const { config } = await createIntegration(service, {}, '@current', 'azure-blob')
  expect(config).toMatchObject({ account_endpoint: 'http://127.0.0.1:10000/lake' })
  expect(JSON.stringify(config)).not.toMatch(/planted|cGxhbnRlZA/)
})

describe.skipIf(azuriteUnavailable !== null)('AzureBlob', () => {
  test('an export through a connection is tested and written', async () => {
    const azurite = await startAzurite()
    onTestFinished(azurite.stop)
    const connection = { connection_string: connectionString(azurite.origin, `AccountKey=${accountKey}`) }
    const config = { container_name: 'exports', prefix: 'through' }
    const key = await exportThrough('azure-blob', connection, { type: 'AzureBlob', config })
    expect((await azurite.read(key)).toString()).toContain('"event":"paid"')
  })
})

describe.skipIf(sftpUnavailable !== null)('SFTP', () => {
  test('an export through a connection is tested and written', async () => {
    const server = await startSftpServer()
    onTestFinished(server.stop)
    const connection = { ...server.config, password: null, private_key: server.privateKey }
    const key = await exportThrough('sftp', connection, { type: 'SFTP', config: { path: 'through' } })
    expect(await readFile(join(server.files, key), 'utf8')).toContain('"event":"paid"')
  })
})
