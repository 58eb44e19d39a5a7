import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { compressionsOf, fileFormats } from '../../../contract/destinations/destination.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import { forgetArrivals } from '../../testing/test-clock.ts'
import {
  closeTestExports,
  createFileExport,
  createS3Export,
  events,
  folder,
  hour,
  insertOnce,
  intact,
  jobs,
  openTestExports,
  start,
  time,
  uuid,
  verified,
  written,
} from '../../testing/test-exports.ts'
import { verifyWindow } from './verify-window.ts'

beforeAll(() => openTestExports())
beforeEach(() => forgetArrivals(jobs.services.store))
afterAll(closeTestExports)

const layouts = fileFormats.flatMap((format) =>
  [null, ...compressionsOf[format]].map((compression) => ({ format, compression })),
)
const query = `SELECT uuid, upper(event) AS event, length(event) AS length, properties, toInt(properties.a) AS number, properties.none AS nothing,
  timestamp, toDate(timestamp) AS day, person_id FROM events`

/** Reading back from S3 differs from reading a file only in the address. */
const quickS3 = layouts.filter(({ compression }) => compression === 'gzip')
const laterS3 = layouts.filter(({ compression }) => compression !== 'gzip')
for (const [type, some, tags] of [
  ['File', layouts, []],
  ['S3', quickS3, []],
  ['S3', laterS3, ['slow']],
] as const)
  test.each(some)(
    `proves what it wrote to a ${type} destination: $format, $compression`,
    { tags: [...tags] },
    async (layout) => {
      await insertOnce()
      const path = `proof/${type}/${layout.format}/${layout.compression}`
      const config = { file_format: layout.format, compression: layout.compression }
      const row = await (type === 'File'
        ? createFileExport({ ...config, path })
        : createS3Export({ ...config, prefix: path }))
      const window = await written(row)
      expect(await verified(row, window)).toMatchObject({
        ...intact,
        rows_source: events.length,
        rows_read: events.length,
      })
      const queried = { ...row, hogql_query: query, destination_config: { ...row.destination_config } }
      const path2 = type === 'File' ? { path: `${path}/query` } : { prefix: `${path}/query` }
      Object.assign(queried.destination_config, path2)
      expect(await verified(queried, await written(queried))).toMatchObject({
        ...intact,
        rows_read: events.length,
      })
    },
  )

test('proves persons', async () => {
  const person = (index: number) => ({
    team_id: jobs.projectId,
    person_id: uuid(index),
    distinct_id: `id ${index}`,
    created_at: time(start - hour),
    is_deleted: index % 2,
    properties: '{}',
    person_version: index,
    person_distinct_id_version: 1,
    inserted_at: time(start + index),
  })
  const rows = [1, 2, 3].map(person)
  await jobs.services.warehouse.insert('persons', rows.map((row) => JSON.stringify(row)).join('\n'))
  for (const file_format of fileFormats) {
    const row = await createFileExport(
      { path: `proof-persons/${file_format}`, file_format },
      { model: 'persons' },
    )
    expect(await verified(row, await written(row))).toMatchObject({ ...intact, rows_read: 3 })
  }
})

test('proves recordings, also once a session has continued in a later window', async () => {
  const recording = (session_id: string, version: number, arrived: number) => ({
    team_id: jobs.projectId,
    session_id,
    version,
    distinct_id: 'ü',
    person_id: uuid(1),
    duration: 1,
    start_time: time(start),
    end_time: time(arrived),
    inserted_at: time(arrived),
    snapshot_source: 'web',
    pages: '[{"path":"/"}]',
    outcome: 'null',
    problems: '[]',
    start_url: 'https://shop.example/',
  })
  const insert = (...rows: ReturnType<typeof recording>[]) =>
    jobs.services.warehouse.insert('recordings', rows.map((row) => JSON.stringify(row)).join('\n'))
  const first = recording('continues', 1, start + 1)
  // The second version replaces the first in the file; the repeat is removed.
  await insert(first, recording('continues', 2, start + 2), recording('ends', 1, start + 3), first)
  const windows = []
  for (const file_format of fileFormats)
    for (const hogql_query of [null, 'SELECT session_id, pages, summary, active_seconds FROM recordings']) {
      const path = `proof-recordings/${file_format}/${hogql_query === null}`
      const row = await createFileExport({ path, file_format }, { model: 'recordings', hogql_query })
      windows.push([row, await written(row)] as const)
    }
  await insert(recording('continues', 3, start + hour + 1))
  for (const [row, window] of windows)
    expect(await verified(row, window)).toMatchObject({ ...intact, rows_read: 2, rows_source: 2 })
})

test('the hash is the same in every format, and another for other rows', async () => {
  await insertOnce()
  const hashOf = async (config: Record<string, unknown>, change: Partial<BatchExportRow> = {}) => {
    const row = await createFileExport({ path: `hash-${Math.random()}`, ...config }, change)
    return (await verified(row, await written(row))).hash
  }
  const lines = await hashOf({})
  expect(lines).toMatch(/^[0-9a-f]{32}$/)
  expect(await hashOf({ file_format: 'Parquet', compression: 'zstd' })).toBe(lines)
  expect(await hashOf({ exclude_events: ['plain'] })).not.toBe(lines)
})

test('proves a split export with all of its parts', async () => {
  const at = start - 30 * hour
  await jobs.insertEvents(
    Array.from({ length: 3000 }, (_, index) => ({
      uuid: uuid(5000 + index),
      timestamp: at + index,
      properties: JSON.stringify({ text: `${index}`.repeat(200) }),
    })),
  )
  const row = await createFileExport({ path: 'proof-parts', max_file_size_mb: 1 })
  const interval = { data_interval_start: new Date(at), data_interval_end: new Date(at + hour) }
  const window = await written(row, interval)
  expect(window.objects.map(({ holds }) => holds)).toEqual([
    ...window.objects.slice(1).map(() => 'rows'),
    'manifest',
  ])
  expect(window.objects.length).toBeGreaterThan(2)
  expect(await verified(row, window)).toMatchObject({ ...intact, rows_read: 3000 })
  const manifest = window.objects.at(-1)?.key ?? ''
  await rm(join(folder, manifest))
  expect(await verified(row, window)).toMatchObject({ objects_found: 'gone', rows_read: null })
})

test('a window without rows needs no objects', async () => {
  const row = await createFileExport({ path: 'proof-nothing' })
  const at = start - 100 * hour
  const interval = { data_interval_start: new Date(at), data_interval_end: new Date(at + hour) }
  expect(await verified(row, await written(row, interval))).toMatchObject({ ...intact, rows_read: 0 })
})

test('rows that arrive after the run do not disturb the proof; by event time, they are late', async () => {
  const at = start - 60 * hour
  const interval = { data_interval_start: new Date(at), data_interval_end: new Date(at + hour) }
  await jobs.insertEvents([
    { timestamp: at + 1, inserted_at: at + 1 },
    { timestamp: at + 2, inserted_at: at + 2 },
  ])
  const byArrival = await createFileExport({ path: 'late-arrival' })
  const byTime = await createFileExport({ path: 'late-time' })
  const windows = [
    await written(byArrival, interval),
    await written(byTime, { ...interval, selects_by: 'time' }),
  ] as const
  jobs.clock.time += 10_000
  await jobs.insertEvents([{ timestamp: at + 3, inserted_at: jobs.clock.time - 5000 }])
  expect(await verified(byArrival, windows[0])).toMatchObject({ ...intact, rows_read: 2 })
  expect(await verified(byTime, windows[1])).toMatchObject({ ...intact, rows_read: 2, late_rows: 1 })
})

test('proves a file whose name ClickHouse would read as a pattern, and leaves nothing behind', async () => {
  await insertOnce()
  const row = await createFileExport({ path: 'odd *?{x,y}[z]' })
  const window = await written(row)
  expect(await verified(row, window)).toMatchObject({ ...intact, rows_read: events.length })
  await rename(join(folder, window.objects[0]?.key ?? ''), join(folder, 'elsewhere'))
  expect(await verified(row, window)).toMatchObject({ objects_found: 'gone' })
  await expect(readFile(join(folder, '../.partial', 'x'))).rejects.toThrow('ENOENT')
})

test('verifies with the settings of the run, unless the export has another destination now', async () => {
  await insertOnce()
  const row = await createFileExport({ path: 'before', file_format: 'Parquet', include_events: ['plain'] })
  const window = await written(row)
  const edited = { ...row, destination_config: { path: 'after', compression: 'gzip' } }
  expect(await verified(edited, window)).toMatchObject({ ...intact, rows_read: 1 })
  const bucket = await createS3Export({ prefix: 'moved' })
  expect(await verified(bucket, window)).toMatchObject({
    problem: expect.stringMatching(/another destination/),
  })
  const first = await written(bucket)
  const other = { ...bucket, destination_config: { ...bucket.destination_config, bucket_name: 'other' } }
  expect(await verified(other, first)).toMatchObject({
    problem: expect.stringMatching(/another destination/),
  })
})

test('says why a store cannot be read, without secrets', async () => {
  await insertOnce()
  const row = await createS3Export({ prefix: 'unreadable' })
  const window = await written(row)
  const config = { ...row.destination_config, endpoint_url: 'http://127.0.0.1:9' }
  const there = { ...window, settings: { ...window.settings, destination_config: config } }
  const { problem, rows_read } = await verified({ ...row, destination_config: config }, there)
  expect(rows_read).toBeNull()
  expect(problem).toMatch(/127\.0\.0\.1:9/)
  expect(problem).not.toContain('secret')
})

test('a verification that takes too long ends between two files', async () => {
  await insertOnce()
  const row = await createFileExport({ path: 'slow' })
  const window = await written(row)
  const signal = AbortSignal.abort()
  expect(await verifyWindow(jobs.services, row, window, signal)).toMatchObject({
    objects_found: null,
    rows_read: null,
    problem: expect.stringMatching(/took too long/),
  })
})
