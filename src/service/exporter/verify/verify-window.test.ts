import { createHash } from 'node:crypto'
import { readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { compressionsOf, fileFormats } from '../../../contract/destinations/destination.ts'
import { objectHash } from '../../../contract/runs/ledger.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import { ledgerSettings, type LedgerRow } from '../../store/windows/ledger.ts'
import type { RunRow } from '../../store/runs/runs-list.ts'
import { forgetArrivals } from '../../testing/test-clock.ts'
import {
  closeTestExports,
  createFileExport,
  createS3Export,
  events,
  folder,
  hour,
  insertOnce,
  jobs,
  openTestExports,
  read,
  runRow,
  run,
  start,
  time,
  uuid,
} from '../../testing/test-exports.ts'
import { verifyWindow } from './verify-window.ts'

beforeAll(openTestExports)
beforeEach(() => forgetArrivals(jobs.services.store))
afterAll(closeTestExports)

/** Runs an export and returns its window as the ledger records it. */
async function written(row: BatchExportRow, change: Partial<RunRow> = {}): Promise<LedgerRow> {
  const attempt = runRow(row, change)
  const result = await run(row, attempt)
  return {
    batch_export_id: row.id,
    data_interval_start: attempt.data_interval_start,
    data_interval_end: attempt.data_interval_end,
    run_id: attempt.id,
    selects_by: attempt.selects_by,
    taken_until: new Date(result.takenUntil),
    settings: ledgerSettings(row),
    rows_expected: result.total,
    rows_written: result.records,
    objects: result.objects,
    written_at: new Date(result.writtenAt),
    verified_at: null,
    objects_found: null,
    rows_source: null,
    hash_expected: null,
    rows_read: null,
    hash_read: null,
    late_rows: 0,
    problem: null,
    verification_id: null,
    verify_turn: null,
    verify_requested_at: null,
    claimed_until: null,
    is_refuted: false,
  }
}

async function verified(row: BatchExportRow, window: LedgerRow) {
  const found = await verifyWindow(jobs.services, row, window)
  const { hash_expected, hash_read, ...rest } = found
  return { ...rest, equal: hash_read !== null && hash_read === hash_expected, hash: hash_read }
}

const intact = { objects_found: 'intact', problem: null, late_rows: 0, equal: true }

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

test('the checksums of a file and of a manifest are SHA-256', async () => {
  await insertOnce()
  const row = await createFileExport({ path: 'proof-checksum', max_file_size_mb: 1 })
  const { objects } = await written(row)
  expect(objects.map(({ holds }) => holds)).toEqual(['rows', 'manifest'])
  for (const { key, checksum } of objects) expect(checksum).toBe(sha256(await read('File', key)))
})

test('a forged file with the size, CRC-32 and identity of the rows is found out', async () => {
  await insertOnce()
  const row = await createFileExport({ path: 'forged' })
  const window = await written(row)
  const key = window.objects[0]?.key ?? ''
  const original = await read('File', key)
  const forged = withCrcOf(original, Buffer.from(original.toString().replace('"a":1', '"a":9')), 'properties')
  expect(forged.equals(original)).toBe(false)
  await writeFile(join(folder, key), forged)
  expect(await verified(row, window)).toMatchObject({
    ...intact,
    objects_found: 'changed',
    rows_read: events.length,
  })
  // A version that recorded CRC-32s cannot notice it, which its entry shows.
  const [object] = window.objects
  if (!object) throw new Error('no object')
  const checksum = `crc32:${crc32(original).toString(16).padStart(8, '0')}`
  const earlier = { ...window, objects: [{ ...object, checksum }] }
  expect(objectHash({ checksum })).toBe('crc32')
  expect(await verified(row, earlier)).toMatchObject(intact)
  const { objects } = await verifyWindow(jobs.services, row, earlier)
  expect(objects.map(objectHash)).toEqual(['crc32_sha256_read'])
})

test('the first verification of an object in a bucket records the SHA-256 that later ones compare', async () => {
  await insertOnce()
  const row = await createS3Export({ prefix: 'hashed' })
  const window = await written(row)
  const [object] = window.objects
  expect(object && objectHash(object)).toBe('etag')
  const { objects } = await verifyWindow(jobs.services, row, window)
  expect(objects).toEqual([{ ...object, checksum_read: sha256(await read('S3', object?.key ?? '')) }])
  expect(objects.map(objectHash)).toEqual(['sha256_read'])
  const later = { ...window, objects }
  expect(await verifyWindow(jobs.services, row, later)).toMatchObject({ objects_found: 'intact', objects })
  // The store's ETag no longer counts.
  const copied = { ...window, objects: objects.map((each) => ({ ...each, checksum: 'etag:x' })) }
  expect(await verified(row, copied)).toMatchObject(intact)
  const other = {
    ...window,
    objects: objects.map((each) => ({ ...each, checksum_read: sha256(Buffer.from('x')) })),
  }
  expect(await verified(row, other)).toMatchObject({ ...intact, objects_found: 'changed' })
})

function sha256(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/**
 * Flips the case of letters in `forged`, behind the first `from`, until it has the CRC-32 of `original`. The CRC-32 is linear: each
 * flip changes it by a constant, so elimination over these constants finds the letters.
 */
function withCrcOf(original: Buffer, forged: Buffer, from: string): Buffer {
  const difference = (at: number) => {
    const flipped = Buffer.from(forged)
    flipped[at] = (flipped[at] ?? 0) ^ 0x20
    return (crc32(flipped) ^ crc32(forged)) >>> 0
  }
  const reduced = new Map<number, { value: number; flips: Set<number> }>()
  const reduce = (value: number, flips: Set<number>) => {
    for (let bit = 31; bit >= 0 && value !== 0; bit -= 1) {
      const basis = reduced.get(bit)
      if (((value >>> bit) & 1) === 0) continue
      if (!basis) return { bit, value, flips }
      value = (value ^ basis.value) >>> 0
      flips = flips.symmetricDifference(basis.flips)
    }
    return { bit: -1, value, flips }
  }
  const text = forged.toString('latin1')
  for (const { index } of text.matchAll(/[a-z](?=[a-z ]*\\?")/g)) {
    if (reduced.size === 32) break
    const inProperties = text.lastIndexOf(`"${from}"`, index) > text.lastIndexOf('\n', index) && index > 0
    if (!inProperties) continue
    const left = reduce(difference(index), new Set([index]))
    if (left.bit >= 0) reduced.set(left.bit, left)
  }
  const { value, flips } = reduce((crc32(original) ^ crc32(forged)) >>> 0, new Set())
  if (value !== 0) throw new Error('too few letters')
  const result = Buffer.from(forged)
  for (const at of flips) result[at] = (result[at] ?? 0) ^ 0x20
  expect(crc32(result)).toBe(crc32(original))
  return result
}

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

test.each(['File', 'S3'] as const)(
  'finds out what happened to the files of a %s destination',
  async (type) => {
    await insertOnce()
    const path = `harmed-${type}`
    const row = await (type === 'File' ? createFileExport({ path }) : createS3Export({ prefix: path }))
    const window = await written(row)
    const key = window.objects[0]?.key ?? ''
    const gone = {
      ...window,
      objects: window.objects.map((object) => ({ ...object, key: `${object.key}x` })),
    }
    expect(await verified(row, gone)).toMatchObject({ objects_found: 'gone', rows_read: null, problem: null })
    const others = { ...window, objects: window.objects.map((object) => ({ ...object, checksum: 'x' })) }
    expect(await verified(row, others)).toMatchObject({ ...intact, objects_found: 'changed' })
    if (type === 'S3') return
    const text = (await read('File', key)).toString()
    await writeFile(join(folder, key), text.replace('"plain"', '"other"'))
    expect(await verified(row, window)).toMatchObject({
      objects_found: 'changed',
      rows_read: events.length,
      equal: false,
    })
    await truncate(join(folder, key), text.indexOf('\n') + 1)
    expect(await verified(row, window)).toMatchObject({
      objects_found: 'changed',
      rows_read: 1,
      equal: false,
    })
    await writeFile(join(folder, key), 'not JSON')
    expect(await verified(row, window)).toMatchObject({
      objects_found: 'changed',
      rows_read: null,
      problem: expect.stringMatching(/./),
    })
  },
)

test.each([{ file_format: 'Parquet' }, { compression: 'gzip' }])(
  'a file with %j that was cut counts as changed although it cannot be read',
  async (layout) => {
    await insertOnce()
    const row = await createFileExport({ path: 'cut', ...layout })
    const window = await written(row)
    await truncate(join(folder, window.objects[0]?.key ?? ''), 20)
    expect(await verified(row, window)).toMatchObject({
      objects_found: 'changed',
      rows_read: null,
      problem: expect.stringMatching(/could not be read back/),
    })
  },
)

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
