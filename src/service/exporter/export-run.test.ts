import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { EventNames } from '../../contract/event-names.ts'
import { compressionsOf, fileFormats, type FileFormat } from '../../contract/destinations/destination.ts'
import { forgetArrivals } from '../testing/test-clock.ts'
import {
  closeTestExports,
  createFileExport,
  createS3Export,
  destinations,
  events,
  folder,
  hour,
  insertOnce,
  jobs,
  name,
  openTestExports,
  read,
  rowsOf,
  run,
  start,
  time,
  uuid,
} from '../testing/test-exports.ts'

beforeAll(() => openTestExports())
beforeEach(() => forgetArrivals(jobs.services.store))
afterAll(closeTestExports)

const columns = [
  'uuid',
  'timestamp',
  'inserted_at',
  'created_at',
  'event',
  'properties',
  'distinct_id',
  'elements_chain',
  'person_properties',
  'person_id',
] as const

function expectedRow(event: (typeof events)[number], format: FileFormat) {
  const at = time(event.timestamp)
  return {
    uuid: event.uuid,
    timestamp: at,
    inserted_at: at,
    created_at: at,
    event: event.event,
    properties: format === 'Parquet' ? event.properties : parsed(event.properties),
    distinct_id: event.distinct_id,
    elements_chain: '',
    person_properties: format === 'Parquet' ? '{}' : {},
    person_id: event.uuid,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const layouts = fileFormats.flatMap((format) =>
  [null, ...compressionsOf[format]].map((compression) => ({ format, compression })),
)
for (const type of destinations)
  test.each(layouts)(
    `writes every row unchanged to a ${type} destination: $format, $compression`,
    async (layout) => {
      await insertOnce()
      const path = `${type}/${layout.format}/${layout.compression}`
      const config = { file_format: layout.format, compression: layout.compression }
      const row = await (type === 'File'
        ? createFileExport({ ...config, path })
        : createS3Export({ ...config, prefix: path }))
      const result = await run(row)
      const extension = { gzip: '.gz', brotli: '.br', zstd: '.zst', lz4: '.lz4', snappy: '.sz' }
      const ending =
        layout.format === 'Parquet'
          ? '.parquet'
          : `.jsonl${layout.compression ? extension[layout.compression] : ''}`
      expect(result).toMatchObject({
        records: events.length,
        total: events.length,
        files: [`${path}/${name}${ending}`],
      })
      const bytes = await read(type, result.files[0] ?? '')
      expect(bytes.length).toBe(result.bytes)
      const rows = await rowsOf(bytes, layout.format, `${path}/${name}${ending}`)
      expect(rows.map((row) => Object.keys(row))).toEqual(events.map(() => [...columns]))
      const sorted = rows.toSorted((a, b) => (String(a['uuid']) < String(b['uuid']) ? -1 : 1))
      expect(sorted).toEqual(events.map((event) => expectedRow(event, layout.format)))
    },
  )

test('writes no file for an empty interval', async () => {
  const row = await createFileExport({ path: 'nothing', max_file_size_mb: 1 })
  const result = await run(row, {
    data_interval_start: new Date(start - hour),
    data_interval_end: new Date(start),
  })
  expect(result).toMatchObject({ records: 0, total: 0, bytes: 0, files: [], objects: [] })
  await expect(readdir(join(folder, 'nothing'))).rejects.toThrow('ENOENT')
})

test('include_events and exclude_events filter the events', async () => {
  await insertOnce()
  const only = await createFileExport({ path: 'only', include_events: ['plain', 'empty', "none'"] })
  expect(await run(only)).toMatchObject({ records: 2 })
  const without = await createFileExport({ path: 'without', exclude_events: ['plain'] })
  expect(await run(without)).toMatchObject({ records: events.length - 1 })
  const both = await createFileExport({
    path: 'both',
    include_events: ['plain', 'null'],
    exclude_events: ['null'],
  })
  expect(await run(both)).toMatchObject({ records: 1 })
})

test('exports with the longest lists of events that the API accepts', async () => {
  await insertOnce()
  const longest = Array.from(
    { length: 500 },
    (_, index) => '\u20ac'.repeat(80 - 3) + String(index).padStart(3),
  )
  expect(EventNames.safeParse(longest).success).toBe(true)
  const row = await createFileExport({
    path: 'lists',
    include_events: ['plain', ...longest.slice(1)],
    exclude_events: longest,
  })
  expect(await run(row)).toMatchObject({ records: 1 })
})

test('does not export an event again when a repeat arrives later', async () => {
  const [at, later] = [start - 10 * hour, start - 9 * hour]
  const event = { uuid: uuid(900), distinct_id: 'twice', event: 'sent twice', timestamp: at + 1 }
  await jobs.insertEvents([{ ...event, inserted_at: at + 2 }])
  await jobs.insertEvents([{ ...event, inserted_at: later + 2 }])
  await jobs.insertEvents([{ ...event, inserted_at: at + 3 }])
  const row = await createFileExport({ path: 'repeats' })
  const window = (from: number) => ({
    data_interval_start: new Date(from),
    data_interval_end: new Date(from + hour),
  })
  expect(await run(row, window(at))).toMatchObject({ records: 1 })
  expect(await run(row, window(later))).toMatchObject({ records: 0 })
  await jobs.insertEvents([{ ...event, uuid: uuid(901), timestamp: later + 3 }])
  const both = await run(row, window(later))
  const found = await rowsOf(await read('File', both.files[0] ?? ''), 'JSONLines', '.jsonl')
  expect(found.map((one) => one['uuid'])).toEqual([uuid(901)])
})

test('a run by time exports events by timestamp, whenever they arrived, except after the run started', async () => {
  const at = start - 20 * hour
  await jobs.insertEvents([
    { timestamp: at, inserted_at: start },
    { timestamp: at + hour - 1, inserted_at: start },
    { timestamp: at + hour, inserted_at: at + 1 },
    { timestamp: at + 5, inserted_at: jobs.clock.now() + 1 },
  ])
  const row = await createFileExport({ path: 'by-time' })
  const window = { data_interval_start: new Date(at), data_interval_end: new Date(at + hour) }
  expect(await run(row, { ...window, selects_by: 'time' })).toMatchObject({ records: 2 })
  expect(await run(row, { ...window, selects_by: 'arrival' })).toMatchObject({ records: 1 })
})

test('exports the latest row of each person and distinct id that changed', async () => {
  const person = { person_id: uuid(1), distinct_id: 'a', created_at: time(start - hour), is_deleted: 0 }
  const version = (person_version: number, at: number, change: object = {}) => ({
    team_id: jobs.projectId,
    ...person,
    properties: JSON.stringify({ version: person_version }),
    person_version,
    person_distinct_id_version: 1,
    inserted_at: time(at),
    ...change,
  })
  const rows = [
    version(1, start - 1),
    version(3, start + 2),
    version(2, start + 3),
    version(4, start + hour),
    version(1, start + 5, { distinct_id: 'b', is_deleted: 1 }),
    version(1, start + 5, { person_id: uuid(2) }),
  ]
  await jobs.services.warehouse.insert('persons', rows.map((row) => JSON.stringify(row)).join('\n'))
  const row = await createFileExport({ path: 'persons' }, { model: 'persons' })
  const result = await run(row)
  expect(result.records).toBe(3)
  const found = await rowsOf(await read('File', result.files[0] ?? ''), 'JSONLines', '.jsonl')
  expect(Object.keys(found[0] ?? {})).toEqual([
    'team_id',
    'distinct_id',
    'person_id',
    'properties',
    'person_version',
    'person_distinct_id_version',
    'created_at',
    'is_deleted',
  ])
  const states = found.map((row) => [
    row['distinct_id'],
    row['person_id'],
    row['properties'],
    row['is_deleted'],
  ])
  expect(states.toSorted()).toEqual([
    ['a', uuid(1), { version: 3 }, 0],
    ['a', uuid(2), { version: 1 }, 0],
    ['b', uuid(1), { version: 1 }, 1],
  ])
})

test.each(fileFormats)('a query selects columns and rows: %s', async (format) => {
  await insertOnce()
  const hogql_query = `SELECT upper(event) AS event, properties, properties.a AS a, 'it''s' AS constant, event AS \`%(x)s {y: Z}\` FROM events WHERE event = 'plain'`
  const row = await createFileExport({ path: `query-${format}`, file_format: format }, { hogql_query })
  const result = await run(row)
  expect(result.records).toBe(1)
  const [found] = await rowsOf(await read('File', result.files[0] ?? ''), format, '.jsonl')
  expect(found).toEqual({
    event: 'PLAIN',
    properties: format === 'Parquet' ? events[0]?.properties : parsed(events[0]?.properties ?? ''),
    a: '1',
    constant: "it's",
    '%(x)s {y: Z}': 'plain',
  })
})
