import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startHungStore } from '../testing/servers/hung-store.ts'
import { itemAt, serviceClient } from '../testing/test-service-client.ts'
import { startServiceProcess } from '../testing/servers/test-service-process.ts'
import { startTestStore } from '../testing/test-store.ts'

const apiKey = `phx_${'s'.repeat(40)}`
const buckets = ['hung-1', 'hung-2', 'hung-3', 'hung-4']
const hour = 3_600_000
const until = Math.floor(Date.now() / hour) * hour - hour

test('the service stops in time while four uploads hang, and their runs go on after the restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'spool-stop-'))
  const healthy = await startTestStore(buckets)
  const store = await startHungStore('upload', { endpoint: healthy.endpoint, buckets: [] })
  const start = () =>
    // Backfills leave one worker free.
    startServiceProcess(folder, {
      SPOOL_BOOTSTRAP_API_KEY: apiKey,
      SPOOL_WORKERS: String(buckets.length + 1),
    })
  let service = await start()
  onTestFinished(async () => {
    await service.stop()
    store.close()
    await healthy.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  const client = serviceClient(folder, apiKey, () => service.origin)
  expect(await client.capture(await client.projectToken(), [itemAt(until - 1)])).toBe(200)
  for (const bucket of buckets) {
    const config = {
      bucket_name: bucket,
      region: 'us-east-1',
      endpoint_url: store.endpoint,
      aws_access_key_id: 'S3RVER',
      aws_secret_access_key: 'S3RVER',
    }
    const { id } = await client.request<{ id: string }>('POST', '/api/projects/@current/batch_exports/', {
      name: bucket,
      interval: 'hour',
      destination: { type: 'S3', config },
    })
    await client.backfill(id, until - hour, until)
  }
  await expect.poll(() => store.hangs(), { timeout: 60_000 }).toBe(buckets.length)

  service.terminate()
  await expect.poll(() => service.isRunning(), { timeout: 10_000 }).toBe(false)
  expect(await service.stop()).toBe(0)
  store.recover()
  service = await start()
  await client.untilAllEnded()
  const { rows } = await client.withDatabase((database) =>
    database.query<{ status: string; attempt: number }>(
      `SELECT status, attempt FROM batch_export_runs WHERE backfill_id IS NOT NULL`,
    ),
  )
  expect(rows).toEqual(buckets.map(() => ({ status: 'Completed', attempt: 1 })))
}, 120_000)
