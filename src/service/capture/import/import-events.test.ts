import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { testClock } from '../../testing/test-clock.ts'
import { testEngines, type TestEngines } from '../../testing/test-engines.ts'
import { openStore, type Store } from '../../store/schema/database.ts'
import { createTables } from '../../warehouse/tables.ts'
import { importEvents } from './import-events.ts'
import { personIdOf } from '../persons/person-id.ts'

const now = Date.UTC(2026, 5, 1, 12)
let engines: TestEngines
let store: Store
let folder: string
let lastProject: number

beforeAll(async () => {
  engines = await testEngines()
  lastProject = engines.firstProjectId
  store = openStore(engines.postgres.pool)
  await createTables(engines.warehouse)
  folder = join(engines.dataDirectory?.path ?? '', 'a {b}*')
  await mkdir(folder)
})

afterAll(() => engines.cleanup())

const columns =
  'uuid, timestamp, inserted_at, created_at, event, properties, distinct_id, elements_chain, person_properties, person_id'
const lines = [
  '{"uuid":"00000000-0000-4000-8000-000000000001","timestamp":"2026-01-05T10:00:00.123456Z","inserted_at":"2026-01-05T10:00:01Z","created_at":"2026-01-05T10:00:02Z","event":"a","properties":{"x":[1,{"y":"a\\nb"}],"id":12345678901234567890123},"distinct_id":"u","elements_chain":"a:","person_properties":{"p":1},"person_id":"00000000-0000-5000-8000-000000000009"}',
  '{"uuid":"00000000-0000-4000-8000-000000000002","timestamp":"2026-01-05T10:00:00Z","event":"b","properties":"{\\"x\\":2}","distinct_id":"v","unknown":{"z":1}}',
].join('\n')

const bz2 =
  'QlpoOTFBWSZTWVTzqzsAADPbgESQEAZ/UAQQviNPCiAASIEjEGTRptIAeoNU9qQ0NAAMhjUcK0nDQK9eGyIqayGMEnJgCNUo8rwJCe4dmmlptOkBg7TUMlEHSRX5o6bFJ2Ibpq5HEVqfxdyRThQkFTzqzsA='

test('imports JSON lines with all their values and fills in the others', async () => {
  const project = newProject()
  expect(await load(project, 'events.jsonl', lines)).toEqual({ events: 2 })
  expect(await rows(project)).toEqual([
    {
      uuid: '00000000-0000-4000-8000-000000000001',
      timestamp: '2026-01-05 10:00:00.123456',
      inserted_at: '2026-06-01 12:00:00.000000',
      created_at: '2026-01-05 10:00:02.000000',
      event: 'a',
      properties: '{"x":[1,{"y":"a\\nb"}],"id":12345678901234567890123}',
      distinct_id: 'u',
      elements_chain: 'a:',
      person_properties: '{"p":1}',
      person_id: '00000000-0000-5000-8000-000000000009',
    },
    {
      uuid: '00000000-0000-4000-8000-000000000002',
      timestamp: '2026-01-05 10:00:00.000000',
      inserted_at: '2026-06-01 12:00:00.000000',
      created_at: '2026-06-01 12:00:00.000000',
      event: 'b',
      properties: '{"x":2}',
      distinct_id: 'v',
      elements_chain: '',
      person_properties: '{}',
      person_id: personIdOf(project, 'v'),
    },
  ])
})

test.each<[string, string | Buffer]>([
  ['events.jsonl.gz', gzipSync(lines)],
  ['events.ndjson.br', brotliCompressSync(lines)],
  ['events.json.zst', zstdCompressSync(lines)],
])('decompresses %s', async (name, content) => {
  const project = newProject()
  expect(await load(project, name, content)).toEqual({ events: 2 })
  expect(await rows(project)).toHaveLength(2)
})

test.each(['lz4', 'xz', 'zst'])('decompresses %s files that ClickHouse wrote', async (ending) => {
  const [source, project] = [newProject(), newProject()]
  await load(source, 'events.jsonl', lines)
  const target = join(engines.dataDirectory?.path ?? '', `packed.jsonl.${ending}`)
  await engines.warehouse.command(
    `INSERT INTO FUNCTION file({target: String}, 'JSONEachRow') SELECT ${columns} FROM events WHERE team_id = {source: Int64}`,
    { params: { target, source } },
  )
  expect(await importEvents(services(), { projectId: project, file: target })).toEqual({ events: 2 })
  expect(await rows(project)).toHaveLength(2)
})

test('decompresses bz2, or reports that bzip2 is missing', async () => {
  const project = newProject()
  const compressed = Buffer.from(bz2, 'base64')
  const outcome = await load(project, 'events.jsonl.bz2', compressed).catch((error: unknown) => String(error))
  expect([
    { events: 1 },
    'ImportError: events.jsonl.bz2 was not imported: decompressing it requires the program bzip2.',
  ]).toContainEqual(outcome)
})

test.each([
  ['strings', 'toString(uuid) AS uuid, timestamp, toString(person_id) AS person_id'],
  ['UUIDs and strings', 'uuid, toString(timestamp) AS timestamp, person_id'],
])('imports exported Parquet files with %s', async (_, types) => {
  const [source, project] = [newProject(), newProject()]
  await load(source, 'events.jsonl', lines)
  const file = join(engines.dataDirectory?.path ?? '', `export-${source}.parquet`)
  await engines.warehouse.command(
    `INSERT INTO FUNCTION file({file: String}, 'Parquet') SELECT ${types}, event, properties, distinct_id, elements_chain,
     person_properties, created_at FROM events WHERE team_id = {source: Int64}`,
    { params: { file, source } },
  )
  expect(await importEvents(services(), { projectId: project, file })).toEqual({ events: 2 })
  expect(await rows(project)).toEqual(await rows(source))
})

test('counts an event imported twice only once', async () => {
  const project = newProject()
  await load(project, 'events.jsonl', lines)
  await load(project, 'events.jsonl', lines)
  expect(await rows(project)).toHaveLength(2)
})

test.each<[string, string, string | Buffer | null, RegExp]>([
  ['does not exist', 'none.jsonl', null, /^There is no file .*none\.jsonl\.$/],
  ['has an unknown format', 'events.csv', 'a,b', /^events\.csv has an unknown format: its name must end in/],
  [
    'has a row that is not JSON',
    'bad.jsonl',
    `${lines}\n{"uuid":oops}`,
    /^bad\.jsonl was not imported: it cannot be read at row 3/,
  ],
  [
    'has a row without a uuid',
    'bad.jsonl',
    `${lines}\n{"event":"c"}`,
    /1 of its 3 rows lack a valid uuid\.$/,
  ],
  [
    'has properties that are not an object',
    'bad.jsonl',
    lines.replace('"{\\"x\\":2}"', '"[1]"'),
    /lack a JSON object as its properties/,
  ],
  ['is not Parquet', 'bad.parquet', 'hello', /^bad\.parquet was not imported: it cannot be read/],
  [
    'is not compressed as its name indicates',
    'bad.jsonl.gz',
    'hello',
    /^bad\.jsonl\.gz was not imported: it cannot be read/,
  ],
])('explains the problem with a file that %s, and imports none of it', async (_, name, content, message) => {
  const project = newProject()
  const attempt =
    content === null
      ? importEvents(services(), { projectId: project, file: join(folder, name) })
      : load(project, name, content)
  await expect(attempt).rejects.toThrow(message)
  expect(await rows(project)).toEqual([])
})

test('names the missing columns of a Parquet file', async () => {
  const file = join(engines.dataDirectory?.path ?? '', 'few.parquet')
  await engines.warehouse.command(
    `INSERT INTO FUNCTION file({file: String}, 'Parquet') SELECT 'x' AS event, 1 AS uuid`,
    {
      params: { file },
    },
  )
  await expect(importEvents(services(), { projectId: newProject(), file })).rejects.toThrow(
    'few.parquet has no column distinct_id and no column timestamp.',
  )
})

function newProject(): number {
  lastProject += 1
  return lastProject
}

function services() {
  return { store, warehouse: engines.warehouse, clock: testClock(now), config: readConfig({}) }
}

async function load(projectId: number, name: string, content: string | Buffer): Promise<{ events: number }> {
  const file = join(folder, name)
  await writeFile(file, content)
  return importEvents(services(), { projectId, file })
}

async function rows(project: number) {
  return engines.warehouse.query(
    `SELECT ${columns} FROM events FINAL WHERE team_id = {project: Int64} ORDER BY uuid`,
    { params: { project } },
  )
}
