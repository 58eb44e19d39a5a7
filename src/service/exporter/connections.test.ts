import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { insertIntegration } from '../store/runs/integrations.ts'
import { updateRow } from '../store/schema/rows.ts'
import { forgetArrivals } from '../testing/test-clock.ts'
import {
  closeTestExports,
  createS3Export,
  events,
  insertOnce,
  intact,
  jobs,
  openTestExports,
  store,
  verified,
  written,
} from '../testing/test-exports.ts'

beforeAll(() => openTestExports())
beforeEach(() => forgetArrivals(jobs.services.store))
afterAll(closeTestExports)

let names = 0

/** Stores a connection to an S3-compatible store; returns its id. */
async function connectionTo(endpoint_url: string): Promise<number> {
  const { secrets, clock, store: database } = jobs.services
  const keys = { aws_access_key_id: 'S3RVER', aws_secret_access_key: 'S3RVER' }
  const made = await insertIntegration(
    database,
    {
      project_id: jobs.projectId,
      kind: 's3-compatible',
      name: `Connection ${(names += 1)}`,
      address: endpoint_url,
      config: { endpoint_url },
      secrets: secrets.seal(JSON.stringify(keys)),
      created_at: new Date(clock.now()),
    },
    100,
  )
  if (typeof made === 'string') throw new Error(made)
  return made.id
}

/** Changes an export with inline keys to one that uses a connection. */
async function connect(row: BatchExportRow, integration_id: number): Promise<BatchExportRow> {
  const { endpoint_url: _, ...destination_config } = row.destination_config
  const change = {
    destination_type: 'S3Compatible' as const,
    destination_config,
    destination_secrets: null,
    integration_id,
  }
  const changed = await updateRow(jobs.services.store, 'batch_exports', { id: row.id }, change)
  if (!changed) throw new Error('the export is gone')
  return changed
}

test('an export writes with a connection, and its windows are verified with it', async () => {
  await insertOnce()
  const id = await connectionTo(store.endpoint)
  const row = await connect(await createS3Export({ prefix: 'connected' }), id)
  expect(row.integration_config).toMatchObject({ endpoint_url: store.endpoint })
  const window = await written(row)
  expect(window).toMatchObject({ rows_written: events.length })
  expect(await verified(row, window)).toMatchObject(intact)
})

test('windows from before an export used a connection are verified with it, if it leads to the same store', async () => {
  await insertOnce()
  const before = await createS3Export({ prefix: 'before' })
  const window = await written(before)
  const row = await connect(before, await connectionTo(store.endpoint))
  expect(await verified(row, window)).toMatchObject(intact)
  const elsewhere = await connect(row, await connectionTo('http://127.0.0.1:9'))
  expect(await verified(elsewhere, window)).toMatchObject({
    problem: expect.stringContaining('The export has another destination now'),
    objects_found: null,
  })
})
