import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportRun } from './export-run.ts'
import type { Warehouse } from '../engines/clickhouse/clickhouse.ts'
import {
  closeTestExports,
  createFileExport,
  createS3Export,
  destinations,
  failure,
  folder,
  hour,
  insertMany,
  insertOnce,
  jobs,
  list,
  openTestExports,
  read,
  rowsOf,
  run,
  runRow,
  start,
  uuid,
} from '../testing/test-exports.ts'

beforeAll(() => openTestExports())
afterAll(closeTestExports)

test.each(destinations)(
  'splits files above the size limit and lists them in a manifest: %s',
  async (type) => {
    const at = start - 30 * hour
    const padding = Array.from({ length: 700 }, (_, index) => uuid(index)).join('')
    await jobs.insertEvents(
      Array.from({ length: 300 }, (_, index) => ({
        uuid: uuid(1000 + index),
        distinct_id: String(index),
        timestamp: at,
        properties: JSON.stringify({ index, padding: type + padding.slice(index) }),
      })),
    )
    const limited = { file_format: 'JSONLines', max_file_size_mb: 1 }
    const row = await (type === 'File'
      ? createFileExport({ ...limited, path: 'split' })
      : createS3Export({ ...limited, prefix: 'split' }))
    const interval = { data_interval_start: new Date(at), data_interval_end: new Date(at + hour) }
    const result = await run(row, interval)
    const prefix = 'split/2026-03-09T06:00:00+00:00-2026-03-09T07:00:00+00:00'
    expect(result.files.length).toBeGreaterThan(7)
    expect(result.files).toEqual(result.files.map((_, index) => `${prefix}-${index}.jsonl`))
    const files = await Promise.all(result.files.map((file) => read(type, file)))
    for (const file of files) expect(file.length).toBeLessThanOrEqual(1024 * 1024)
    expect(files.reduce((sum, file) => sum + file.length, 0)).toBe(result.bytes)
    const rows = await Promise.all(files.map((file) => rowsOf(file, 'JSONLines', '.jsonl')))
    const found = rows.flat().map((row) => row['uuid'])
    expect(new Set(found).size).toBe(300)
    expect(found.length).toBe(300)
    const manifest = await read(type, `${prefix}_manifest.json`)
    expect(JSON.parse(manifest.toString())).toEqual({ files: result.files })

    const destination_config = { ...row.destination_config, max_file_size_mb: 100 }
    const fewer = await run({ ...row, destination_config }, interval)
    expect(fewer.files).toEqual([`${prefix}-0.jsonl`])
    expect(await list(type, 'split/')).toEqual([`${prefix}-0.jsonl`, `${prefix}_manifest.json`])
  },
)

test('a second attempt replaces the file of the first', async () => {
  await insertOnce()
  for (const row of [await createFileExport({ path: 'again' }), await createS3Export({ prefix: 'again' })]) {
    const first = await run(row)
    expect(await run(row)).toEqual(first)
  }
})

test('reports what blocks a file’s path, and never follows or overwrites it', async () => {
  await insertOnce()
  await mkdir(join(folder, 'taken'), { recursive: true })
  await writeFile(join(folder, 'taken', 'file'), 'mine')
  await symlink('/tmp', join(folder, 'taken', 'link'))
  expect(await failure(await createFileExport({ path: 'taken/file' }))).toMatchObject({
    permanent: true,
    message: expect.stringContaining('taken/file is a file'),
  })
  expect(await failure(await createFileExport({ path: 'taken/link/x' }))).toMatchObject({
    permanent: true,
    message: expect.stringContaining('symbolic link'),
  })
  expect(await failure(await createFileExport({ path: '../outside' }))).toMatchObject({
    permanent: true,
    message: expect.stringContaining('not below the exports folder'),
  })
  expect(await readFile(join(folder, 'taken', 'file'), 'utf8')).toBe('mine')
  expect(await readdir(dirname(folder))).not.toContain('outside')
})

describe('aborting stops the statement and leaves no file', () => {
  const at = start - 40 * hour
  const total = 1_500_000

  beforeAll(() => insertMany(at, total))

  test.each(destinations)(
    '%s',
    async (type) => {
      const config = { compression: 'brotli' }
      const row = await (type === 'File'
        ? createFileExport({ ...config, path: 'aborted' })
        : createS3Export({ ...config, prefix: 'aborted' }))
      const controller = new AbortController()
      const interval = { data_interval_start: new Date(at), data_interval_end: new Date(at + hour) }
      const running = exportRun(jobs.services, row, runRow(row, interval), {
        onProgress: (progress) => {
          expect(progress.total).toBe(total)
          if (progress.records > 0) controller.abort('enough')
        },
        signal: controller.signal,
      })
      await expect(running).rejects.toBe('enough')
      expect(await list(type, 'aborted')).toEqual([])
      expect(await readdir(join(folder, '../.partial'))).toEqual([])
    },
    30_000,
  )
})

test('an aborted run rejects only after its unfinished file is gone', async () => {
  await insertOnce()
  const row = await createFileExport({ path: 'aborted-late' })
  const controller = new AbortController()
  const written = Promise.withResolvers<void>()
  let isWriting = true
  const { warehouse } = jobs.services
  const slow: Pick<Warehouse, 'query' | 'command'> = {
    // The count during the write fails while the write is still ending.
    async query(sql, options) {
      if (!options?.mark?.endsWith(':count')) return await warehouse.query(sql, options)
      await written.promise
      controller.abort('enough')
      throw new Error('the count was stopped')
    },
    async command(sql, options) {
      await warehouse.command(sql, options)
      written.resolve()
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      isWriting = false
    },
  }
  const services = { ...jobs.services, warehouse: { ...warehouse, ...slow } }
  const control = { onProgress: () => undefined, signal: controller.signal }
  await expect(exportRun(services, row, runRow(row), control)).rejects.toBe('enough')
  expect(isWriting).toBe(false)
  expect(await readdir(join(folder, '../.partial'))).toEqual([])
})
