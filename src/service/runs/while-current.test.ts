import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { exportRun } from '../exporter/export-run.ts'
import { runMark } from '../exporter/run-control.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import {
  changeRun,
  createRun,
  current,
  folder,
  jobs,
  openTestRuns,
  openTestWorker,
  worker,
} from '../testing/test-runs.ts'
import { startTestStore } from '../testing/test-store.ts'
import { claimRun } from './claim-run.ts'
import { takeOverAll } from '../store/runs/write-runs.ts'
import { whileCurrent } from './while-current.ts'

beforeAll(openTestRuns)
beforeEach(openTestWorker)
afterEach(() => worker.stop())
afterAll(() => jobs.cleanup())

type Destination = { change: Partial<BatchExportRow>; read: (key: string) => Promise<string> }

async function bucket(): Promise<Destination> {
  const store = await startTestStore()
  const client = new S3Client({
    endpoint: store.endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  })
  onTestFinished(async () => {
    client.destroy()
    await store.stop()
  })
  const secrets = { aws_access_key_id: 'S3RVER', aws_secret_access_key: 'S3RVER' }
  return {
    change: {
      destination_type: 'S3',
      destination_config: {
        bucket_name: 'exports',
        region: 'us-east-1',
        endpoint_url: store.endpoint,
        prefix: 'fenced',
      },
      destination_secrets: jobs.services.secrets.seal(JSON.stringify(secrets)),
    },
    async read(Key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: 'exports', Key }))
      return (await Body?.transformToString()) ?? ''
    },
  }
}

async function directory(): Promise<Destination> {
  return {
    change: { destination_config: { path: 'fenced' } },
    read: (key) => readFile(join(folder, key), 'utf8'),
  }
}

test.each([
  ['a bucket', 'before', bucket],
  ['a bucket', 'after', bucket],
  ['a folder', 'before', directory],
  ['a folder', 'after', directory],
] as const)(
  'an attempt that was taken over cannot replace the newer file in %s, delayed %s its statement',
  async (_, when, open) => {
    const { change, read } = await open()
    const { row, run } = await createRun(change)
    const stale = await claimRun(jobs.services, 'stale', run.id)
    if (!stale) throw new Error('the run cannot be claimed')
    const released = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const { warehouse, store } = jobs.services
    const wait = async () => {
      reached.resolve()
      await released.promise
    }
    const slow: typeof warehouse.command = async (...statement) => {
      if (when === 'before') await wait()
      await warehouse.command(...statement)
      if (when === 'after') await wait()
    }
    // As in a frozen process, no heartbeat notices that the run was taken over.
    const ending = exportRun(
      { ...jobs.services, warehouse: { ...warehouse, command: slow } },
      stale.exportRow,
      stale.run,
      {
        onProgress: () => undefined,
        signal: new AbortController().signal,
        whileCurrent: (publish) => whileCurrent(store, stale.run, publish),
      },
    ).catch((error: unknown) => error)
    await reached.promise
    await takeOverAll(jobs.services)
    // The newer attempt writes another file.
    await store
      .updateTable('batch_exports')
      .set({ hogql_query: "SELECT 'newer' AS written FROM events", schema: null })
      .where('id', '=', row.id)
      .execute()
    await worker.work(run.id)
    const completed = await current(run)
    expect(completed).toMatchObject({ status: 'Completed', attempt: 2 })
    const [file = ''] = completed.files
    const newer = await read(file)
    expect(newer).toContain('newer')
    released.resolve()
    expect(await ending).toBeInstanceOf(Error)
    expect(await read(file)).toBe(newer)
    expect((await current(run)).attempt).toBe(2)
  },
)

test('runs of one window publish one after the other', async () => {
  const { run } = await createRun()
  await changeRun(run, { status: 'Running', worker_id: 'one', heartbeat_at: new Date(jobs.clock.now()) })
  const row = await current(run)
  const steps: string[] = []
  const entered = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const first = whileCurrent(jobs.services.store, row, async () => {
    entered.resolve()
    await released.promise
    steps.push('first')
  })
  await entered.promise
  const second = whileCurrent(jobs.services.store, row, async () => void steps.push('second'))
  // Heartbeats do not wait until the files are published.
  await changeRun(run, { heartbeat_at: new Date(0) })
  expect(await claimRun(jobs.services, 'other', run.id)).toBeNull()
  released.resolve()
  await Promise.all([first, second])
  expect(steps).toEqual(['first', 'second'])
  expect(await claimRun(jobs.services, 'other', run.id)).not.toBeNull()
  await changeRun(run, { status: 'Failed' })
})

test('an attempt that was taken over does not stop the statement of the next', async () => {
  const { run } = await createRun()
  const row = { ...(await current(run)), attempt: 1 }
  const kill = vi.spyOn(jobs.services.warehouse, 'kill')
  onTestFinished(() => kill.mockRestore())
  const controller = new AbortController()
  const control = { onProgress: () => controller.abort('lost'), signal: controller.signal }
  const exportRow = await jobs.services.store
    .selectFrom('batch_exports')
    .selectAll()
    .where('id', '=', run.batch_export_id)
    .executeTakeFirstOrThrow()
  await expect(exportRun(jobs.services, exportRow, row, control)).rejects.toBe('lost')
  expect(kill.mock.calls.flat()).toContain(runMark(row))
  expect(kill.mock.calls.flat()).not.toContain(runMark({ ...row, attempt: 2 }))
  await worker.work(run.id)
})
