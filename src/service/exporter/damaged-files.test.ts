import { readdir, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  closeTestExports,
  createFileExport,
  createS3Export,
  failure,
  folder,
  insertOnce,
  jobs,
  list,
  name,
  openTestExports,
  read,
  run,
  runRow,
  store,
} from '../testing/test-exports.ts'
import { startFaultyStore, type StoreFault } from '../testing/test-store.ts'
import { exportRun } from './export-run.ts'
import { explainFailure } from './explain-failure.ts'

beforeAll(async () => {
  await openTestExports()
  await insertOnce()
})
afterAll(closeTestExports)

const half = (body: Buffer): StoreFault => ({ forward: body.subarray(0, body.length >> 1) })

/** Starts a store that keeps half of each uploaded object whose URL matches `pattern`. */
async function halvingStore(pattern: RegExp) {
  const halving = await startFaultyStore(store.endpoint, ({ method, url, headers }, body) => {
    const copies = headers['x-amz-copy-source'] === undefined ? '' : ' copy'
    return method === 'PUT' && pattern.test(`${url}${copies}`) ? half(body) : { forward: body }
  })
  onTestFinished(halving.stop)
  return halving.endpoint
}

test.each([
  ['one file', {}],
  ['a compressed file', { compression: 'zstd' }],
  ['a Parquet file', { file_format: 'Parquet' }],
  ['a split file', { max_file_size_mb: 1 }],
])('a store that keeps half of %s fails the attempt and leaves the earlier file', async (_, layout) => {
  const prefix = `halved/${Object.values(layout).join('')}`
  const row = await createS3Export({ prefix, ...layout })
  const { files } = await run(row)
  const [first = ''] = files
  const before = await read('S3', first)
  const endpoint_url = await halvingStore(/partial/)
  const broken = await createS3Export({ prefix, endpoint_url, ...layout })
  expect(await failure(broken)).toEqual({
    permanent: false,
    message: expect.stringMatching(/^The store kept [\d,]+ of the [\d,]+ bytes that were sent for/),
  })
  expect(await read('S3', first)).toEqual(before)
  expect((await list('S3', prefix)).filter((key) => key.includes('partial'))).toEqual([])
})

test('a store that keeps half of the manifest fails the attempt', async () => {
  const endpoint_url = await halvingStore(/_manifest/)
  const row = await createS3Export({ prefix: 'halved-manifest', endpoint_url, max_file_size_mb: 1 })
  expect(await failure(row)).toEqual({
    permanent: false,
    message: expect.stringMatching(/^The store kept \d+ of the \d+ bytes of the manifest halved-manifest/),
  })
})

test('a store that copies half of an object fails the attempt', async () => {
  // The store responds as if it had copied the whole object.
  const copying = await startFaultyStore(store.endpoint, async ({ method, headers }, body) => {
    if (method !== 'PUT' || headers['x-amz-copy-source'] === undefined) return { forward: body }
    await run(await createS3Export({ prefix: 'halved-copy', include_events: ['plain'] }))
    return { respond: '<CopyObjectResult><ETag>"0"</ETag></CopyObjectResult>' }
  })
  onTestFinished(copying.stop)
  const row = await createS3Export({ prefix: 'halved-copy', endpoint_url: copying.endpoint })
  expect(await failure(row)).toMatchObject({
    permanent: false,
    message: expect.stringContaining(`bytes that were sent for halved-copy/${name}.jsonl`),
  })
})

test.each([
  ['one file', {}],
  ['a compressed file', { compression: 'gzip' }],
  ['a Parquet file', { file_format: 'Parquet' }],
])('a folder that keeps half of %s fails the attempt and leaves the earlier file', async (_, layout) => {
  const row = await createFileExport({ path: `halved/${Object.values(layout).join('')}`, ...layout })
  const { files } = await run(row)
  const [first = ''] = files
  const before = await read('File', first)
  const { warehouse } = jobs.services
  const services = {
    ...jobs.services,
    warehouse: {
      ...warehouse,
      async command(...given: Parameters<typeof warehouse.command>) {
        await warehouse.command(...given)
        for (const partial of await readdir(join(folder, '../.partial'))) {
          const path = join(folder, '../.partial', partial)
          await truncate(path, (await stat(path)).size >> 1)
        }
      },
    },
  }
  const control = { onProgress: () => undefined, signal: new AbortController().signal }
  const error: unknown = await exportRun(services, row, runRow(row), control).catch((cause: unknown) => cause)
  expect(await explainFailure(jobs.services, row, error)).toEqual({
    permanent: false,
    message: expect.stringMatching(/of the \d+ rows that were written|cannot be read back/),
  })
  expect(await read('File', first)).toEqual(before)
  expect(await readdir(join(folder, '../.partial'))).toEqual([])
})
