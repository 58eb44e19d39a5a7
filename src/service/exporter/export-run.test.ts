import { createServer, request as forward } from 'node:http'
import { once } from 'node:events'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compressionsOf, fileFormats, type FileFormat } from '../../contract/destination.ts'
import { testJobs, type ExportRow, type RunRow, type TestJobs } from '../jobs/test-jobs.ts'
import { explainFailure, exportRun } from './export-run.ts'
import { startTestStore } from './test-store.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 2, 10, 12)
const name = '2026-03-10T12:00:00+00:00-2026-03-10T13:00:00+00:00'
const secretKey = 'secret/Key+of==nobody'

let jobs: TestJobs
let store: Awaited<ReturnType<typeof startTestStore>>
let client: S3Client
let folder: string

beforeAll(async () => {
  jobs = await testJobs(start + 2 * hour)
  store = await startTestStore()
  folder = jobs.services.exportsFolder ?? ''
  client = new S3Client({
    endpoint: store.endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
})
afterAll(async () => {
  client.destroy()
  await store.stop()
  await jobs.cleanup()
})

const events = [
  { event: 'plain', properties: '{"a":1,"nested":{"b":[true,null]}}' },
  {
    event: 'quotes " and \\ and \n and \u2028',
    properties: '{"text":"line\\nbreak \\"quoted\\" \\u00e9 ü"}',
  },
  { event: 'spaced', properties: '{\n  "a" : 1,\r\n  "b" : "x"\n}' },
  { event: 'large numbers', properties: '{"n":100000000000000000000,"m":1e300,"u":18446744073709551615}' },
  { event: 'lone surrogate', properties: '{"s":"\\ud800"}' },
  { event: 'not json', properties: 'no "json"\n' },
  { event: 'cut json', properties: '{"a":' },
  { event: 'empty', properties: '' },
  { event: 'null', properties: 'null' },
].map((event, index) => ({
  ...event,
  uuid: uuid(index),
  distinct_id: `id '${index}'`,
  timestamp: start + index * 1234,
}))

const layouts = fileFormats.flatMap((format) =>
  [null, ...compressionsOf[format]].map((compression) => ({ format, compression })),
)
const destinations = ['File', 'S3'] as const

for (const type of destinations)
  test.each(layouts)(
    `a ${type} destination holds every row as it was: $format, $compression`,
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

test('an empty interval leaves no file', async () => {
  const row = await createFileExport({ path: 'nothing', max_file_size_mb: 1 })
  const result = await run(row, {
    data_interval_start: new Date(start - hour),
    data_interval_end: new Date(start),
  })
  expect(result).toEqual({ records: 0, total: 0, bytes: 0, files: [] })
  await expect(readdir(join(folder, 'nothing'))).rejects.toThrow('ENOENT')
})

test('include_events and exclude_events choose the events', async () => {
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

test('a repeat that arrives later is not exported again', async () => {
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
})

test('runs by time take events by their timestamp, whenever they arrived, but none after the run began', async () => {
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

test.each(destinations)(
  'a limit on the size of files in %s splits them and lists them in a manifest',
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

    const fewer = await run(await withConfig(row, { max_file_size_mb: 100 }), interval)
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

test('a variable that does not exist stays in the name of an object', async () => {
  await insertOnce()
  const row = await createS3Export({ prefix: 'a{b}c*?/{table}/{year}' })
  const result = await run(row)
  expect(result.files).toEqual([`a{b}c*?/events/2026/${name}.jsonl`])
  expect(await list('S3', 'a')).toContain(result.files[0])
  const file = await createFileExport({ path: 'a{b}c*/{day}' })
  expect((await run(file)).files).toEqual([`a{b}c*/10/${name}.jsonl`])
  expect(await list('File', 'a{b}c*')).toHaveLength(1)
})

test('persons: one row for each person and distinct id that changed, as it was last', async () => {
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
  await jobs.services.warehouse.insert(
    'persons',
    Object.keys(rows[0] ?? {}),
    rows.map((row) => JSON.stringify(row)).join('\n'),
  )
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

test.each(fileFormats)('a query chooses columns and rows: %s', async (format) => {
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

test('what is in the way of a file is said, and never followed or overwritten', async () => {
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
    message: expect.stringContaining('not a place below the exports folder'),
  })
  expect(await readFile(join(folder, 'taken', 'file'), 'utf8')).toBe('mine')
  expect(await readdir(dirname(folder))).not.toContain('outside')
})

test('errors of S3 say what to do and which of them can get better, and hold no secret', async () => {
  await insertOnce()
  const denied = createServer((request, response) => {
    request.resume()
    response.writeHead(403, { 'content-type': 'application/xml' })
    response.end(
      `<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied for ${secretKey}</Message></Error>`,
    )
  }).listen(0, '127.0.0.1')
  await once(denied, 'listening')
  const address = denied.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const cases = [
    [{ bucket_name: 'missing' }, true, 'There is no bucket "missing"'],
    [{ endpoint_url: `http://127.0.0.1:${port}` }, true, 'was denied'],
    [{ endpoint_url: 'http://127.0.0.1:9' }, false, 'refused the connection'],
    [{ endpoint_url: 'http://nowhere.invalid' }, false, 'was not found'],
    [{ endpoint_url: store.endpoint.replace('http', 'https') }, true, 'No secure connection'],
    [{ endpoint_url: 'http://10.0.0.1' }, true, 'not on the public internet'],
    [{ endpoint_url: null, region: 'x.evil.example/' }, true, 'not a region'],
    [{ bucket_name: 'a' }, true, 'not one that S3 allows'],
    [{ prefix: 'a//b' }, true, 'empty part'],
  ] as const
  for (const [config, permanent, text] of cases) {
    const explained = await failure(await createS3Export(config))
    expect(explained).toMatchObject({ permanent, message: expect.stringContaining(text) })
    expect(explained.message).not.toContain(secretKey)
  }
  denied.close()
})

test.each(destinations)(
  'aborting stops the statement and leaves no file: %s',
  async (type) => {
    const at = start - (type === 'File' ? 40 : 50) * hour
    await jobs.services.warehouse.command(
      `INSERT INTO events (team_id, uuid, event, properties, distinct_id, timestamp, created_at, inserted_at, elements_chain, person_id, person_properties)
     SELECT {team: Int64}, generateUUIDv4(), 'many', concat('{"text":"', hex(sipHash128(number)), '"}'), toString(number), t, t, t, '', generateUUIDv4(), '{}'
     FROM (SELECT number, fromUnixTimestamp64Milli({at: Int64}, 'UTC') AS t FROM numbers(1500000))`,
      { params: { team: jobs.projectId, at } },
    )
    const config = { compression: 'brotli' }
    const row = await (type === 'File'
      ? createFileExport({ ...config, path: 'aborted' })
      : createS3Export({ ...config, prefix: 'aborted' }))
    const controller = new AbortController()
    const interval = { data_interval_start: new Date(at), data_interval_end: new Date(at + hour) }
    const running = exportRun(jobs.services, row, runRow(row, interval), {
      onProgress: ({ records, total }) => {
        expect(total).toBe(1_500_000)
        if (records > 0) controller.abort('enough')
      },
      signal: controller.signal,
    })
    await expect(running).rejects.toBe('enough')
    expect(await list(type, 'aborted')).toEqual([])
    expect(await readdir(join(folder, '.partial'))).toEqual([])
  },
  30_000,
)

test('an object that wants a KMS key of its own is never stored without encryption', async () => {
  await insertOnce()
  const seen: { method: string; path: string; encryption: unknown; key: unknown }[] = []
  const recorder = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    seen.push({
      method,
      path: url.split('?')[0] ?? '',
      encryption: headers['x-amz-server-side-encryption'],
      key: headers['x-amz-server-side-encryption-aws-kms-key-id'],
    })
    request.pipe(
      forward(`${store.endpoint}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      }),
    )
  }).listen(0, '127.0.0.1')
  await once(recorder, 'listening')
  const address = recorder.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const encryption = {
    endpoint_url: `http://127.0.0.1:${port}`,
    encryption: 'aws:kms',
    kms_key_id: 'arn:own',
  }
  const result = await run(await createS3Export({ ...encryption, prefix: 'kms' }))
  expect(await list('S3', 'kms/')).toEqual(result.files)
  const puts = seen.filter(({ method }) => method === 'PUT')
  expect(puts.map((put) => [put.encryption, put.key])).toEqual([
    ['aws:kms', undefined],
    ['aws:kms', 'arn:own'],
  ])
  recorder.close()
})

test('a store that sends us on to another address is not followed', async () => {
  await insertOnce()
  const redirecting = createServer((request, response) => {
    request.resume()
    response.writeHead(307, { location: `${store.endpoint}${request.url}` }).end()
  }).listen(0, '127.0.0.1')
  await once(redirecting, 'listening')
  const address = redirecting.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const row = await createS3Export({ endpoint_url: `http://127.0.0.1:${port}`, prefix: 'redirected' })
  expect(await failure(row)).toMatchObject({
    permanent: true,
    message: expect.stringContaining('another address'),
  })
  expect(await list('S3', 'redirected')).toEqual([])
  redirecting.close()
})

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

let inserted: Promise<void> | undefined
function insertOnce(): Promise<void> {
  return (inserted ??= jobs.insertEvents(events.map((event) => ({ ...event, person_id: event.uuid }))))
}

function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z')
}

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

async function rowsOf(bytes: Buffer, format: FileFormat, file: string): Promise<Record<string, unknown>[]> {
  if (format === 'Parquet') {
    const path = join(folder, `read-back-${Math.random()}.parquet`)
    await writeFile(path, bytes)
    return await jobs.services.warehouse.query(`SELECT * FROM file({path: String}, 'Parquet') /*settings*/`, {
      params: { path },
      settings: { date_time_output_format: 'iso' },
    })
  }
  const plain = file.endsWith('.gz')
    ? gunzipSync(bytes)
    : file.endsWith('.br')
      ? brotliDecompressSync(bytes)
      : file.endsWith('.zst')
        ? zstdDecompressSync(bytes)
        : bytes
  return plain
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

async function read(type: (typeof destinations)[number], key: string): Promise<Buffer> {
  if (type === 'File') return await readFile(join(folder, key))
  const object = await client.send(new GetObjectCommand({ Bucket: 'exports', Key: key }))
  return Buffer.from((await object.Body?.transformToByteArray()) ?? [])
}

async function list(type: (typeof destinations)[number], prefix: string): Promise<string[]> {
  if (type === 'File') {
    const entries = await readdir(join(folder, prefix), { recursive: true, withFileTypes: true }).catch(
      () => [],
    )
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .sort()
  }
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'exports', Prefix: prefix }))
  return Contents.flatMap(({ Key }) => Key ?? [])
}

function createFileExport(config: Record<string, unknown>, change: Partial<ExportRow> = {}) {
  return jobs.createExport({ destination_config: config, ...change })
}

function createS3Export(config: Record<string, unknown>) {
  const secrets = { aws_access_key_id: 'S3RVER', aws_secret_access_key: secretKey }
  return jobs.createExport({
    destination_type: 'S3',
    destination_config: {
      bucket_name: 'exports',
      region: 'us-east-1',
      endpoint_url: store.endpoint,
      ...config,
    },
    destination_secrets: jobs.services.secrets.seal(JSON.stringify(secrets)),
  })
}

async function withConfig(row: ExportRow, config: Record<string, unknown>): Promise<ExportRow> {
  return { ...row, destination_config: { ...row.destination_config, ...config } }
}

function runRow(row: ExportRow, change: Partial<RunRow> = {}): RunRow {
  const now = new Date(jobs.clock.now())
  return {
    id: crypto.randomUUID(),
    batch_export_id: row.id,
    project_id: row.project_id,
    backfill_id: null,
    origin: 'schedule',
    selects_by: 'arrival',
    status: 'Running',
    attempt: 1,
    data_interval_start: new Date(start),
    data_interval_end: new Date(start + hour),
    records_completed: 0,
    records_total_count: null,
    bytes_exported: null,
    files: [],
    latest_error: null,
    created_at: now,
    started_at: now,
    finished_at: null,
    last_updated_at: now,
    next_attempt_at: null,
    worker_id: 'worker',
    heartbeat_at: now,
    cancel_requested_at: null,
    ...change,
  }
}

function run(row: ExportRow, change: Partial<RunRow> = {}) {
  const signal = new AbortController().signal
  return exportRun(jobs.services, row, runRow(row, change), { onProgress: () => undefined, signal })
}

async function failure(row: ExportRow) {
  const error: unknown = await run(row).then(
    () => null,
    (cause: unknown) => cause,
  )
  expect(error).not.toBeNull()
  return explainFailure(jobs.services, row, error)
}
