import { spawn } from 'node:child_process'
import { createWriteStream, createReadStream } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { pipeline, finished } from 'node:stream/promises'
import type { Services } from '../../services.ts'
import type { QuerySettings } from '../../engines/clickhouse/clickhouse.ts'
import {
  assertColumns,
  completeEvents,
  importedColumns,
  faults,
  fileFormat,
  ImportError,
  lineTypes,
  selectEvents,
  structureOf,
  type ColumnTypes,
  type ImportFormat,
  parquetTypes,
} from './import-source.ts'
import { holdWatermark } from '../../store/runs/watermark.ts'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'

export type ImportServices = Pick<Services, 'store' | 'warehouse' | 'clock' | 'config'>
export type Import = { projectId: number; file: string }

/** Each block becomes one part; an import keeps one block in memory at a time. */
const importSettings: QuerySettings = {
  max_threads: 1,
  max_insert_threads: 1,
  max_memory_usage: 500_000_000,
  max_block_size: 20_000,
  min_insert_block_size_rows: 100_000,
  min_insert_block_size_bytes: 67_108_864,
  input_format_parallel_parsing: 0,
  input_format_skip_unknown_fields: 1,
  input_format_json_read_objects_as_strings: 1,
  input_format_json_read_arrays_as_strings: 1,
  input_format_json_read_numbers_as_strings: 1,
  input_format_json_read_bools_as_strings: 1,
}

/**
 * Imports a file of exported events (Parquet or JSONLines, optionally compressed) into a project. Events keep their
 * timestamps, arrive now, and count once if they already exist. Embedded ClickHouse reads the file twice, so that an
 * invalid row rejects the whole file; a server receives it once, and rows before the first invalid one stay.
 * @throws ImportError describing the problem with the file.
 */
export async function importEvents(services: ImportServices, { projectId, file }: Import) {
  const format = await fileFormat(file)
  try {
    const { clickhouseUrl } = services.config
    if (clickhouseUrl !== null)
      return await importRemotely(services, clickhouseUrl, { projectId, file }, format)
    return await withPlainPath(file, format, (path) =>
      importLocally(services, { projectId, file }, { path, ...format }),
    )
  } catch (cause) {
    throw explain(cause, file)
  }
}

async function importLocally(
  { warehouse, store, clock }: ImportServices,
  { projectId, file }: Import,
  { path, format }: ImportFormat & { path: string },
): Promise<{ events: number }> {
  const columns = 'DESCRIBE file({path: String}, {format: String})'
  const described =
    format === 'Parquet' &&
    (await warehouse.query<{ name: string; type: string }>(columns, { params: { path, format } }))
  const types: ColumnTypes = described
    ? Object.fromEntries(described.map(({ name, type }) => [name, type]))
    : lineTypes
  assertColumns(file, types)
  const structure = format === 'Parquet' ? 'auto' : structureOf(types)
  const rows = selectEvents('file({path: String}, {format: String}, {structure: String})', types)
  const counts = faults.map(({ expression }, index) => `countIf(${expression}) AS fault_${index}`)
  const [found] = await warehouse.query<Record<string, number>>(
    `SELECT count() AS events, ${counts.join(', ')} FROM (${rows})`,
    { params: { path, format, structure }, settings: importSettings, lane: 'write' },
  )
  const events = found?.['events'] ?? 0
  for (const [index, { name }] of faults.entries()) {
    const bad = found?.[`fault_${index}`] ?? 0
    if (bad > 0)
      throw new ImportError(`${basename(file)} was not imported: ${bad} of its ${events} rows lack ${name}.`)
  }
  await store.transaction().execute(async (transaction) => {
    const arrival = await holdWatermark(transaction, clock)
    await warehouse.command(`INSERT INTO events (${importedColumns}) ${completeEvents(rows)}`, {
      params: { path, format, structure, project: projectId, arrival },
      settings: importSettings,
    })
  })
  return { events }
}

function importRemotely(
  { store, clock }: ImportServices,
  url: string,
  { projectId, file }: Import,
  format: ImportFormat,
) {
  return store.transaction().execute(async (transaction) => {
    const arrival = await holdWatermark(transaction, clock)
    const params = { project: projectId, arrival }
    return importStream({ url, file, format, params })
  })
}

/**
 * Runs `work` on a link to the file: the file's own path may contain characters that ClickHouse reads as a pattern.
 * Decompresses bz2 first, which the embedded engine does not support.
 */
async function withPlainPath<T>(
  file: string,
  { format, compression }: ImportFormat,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'spool-import-'))
  const path = join(folder, format === 'Parquet' ? 'events.parquet' : 'events.jsonl')
  try {
    if (compression === 'bz2') {
      await unpack(file, path)
      return await work(path)
    }
    const link = compression ? `${path}.${compression}` : path
    await symlink(resolve(file), link)
    return await work(link)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function unpack(file: string, target: string): Promise<void> {
  const program = spawn('bzip2', ['-dc', '--', resolve(file)], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = Promise.withResolvers<number | null>()
  program.once('error', ended.reject).once('close', ended.resolve)
  try {
    const [code] = await Promise.all([ended.promise, pipeline(program.stdout, createWriteStream(target))])
    if (code === 0) return
  } catch (cause) {
    const problem = `${basename(file)} was not imported: decompressing it requires the program bzip2.`
    throw new ImportError(problem, { cause })
  }
  throw unreadable(file)
}

/** `where`: at which row, after a space. */
function unreadable(file: string, where = '', options?: ErrorOptions): ImportError {
  const problem = `it cannot be read${where}. Check that its content matches its name.`
  return new ImportError(`${basename(file)} was not imported: ${problem}`, options)
}

const unreadableTypes =
  /PARSE|INCORRECT|UNEXPECTED|UNKNOWN_TYPE|CANNOT_(READ|EXTRACT|DECOMPRESS)|DECODING|COMPRESS|CORRUPT|TYPE_MISMATCH|STD_EXCEPTION|VALUE_IS_OUT|INFLATE|TRUNCATED|ZSTD|LZ4|LZMA|BZIP/

function explain(cause: unknown, file: string): unknown {
  if (cause instanceof ImportError || !(cause instanceof Error)) return cause
  const type = 'type' in cause && typeof cause.type === 'string' ? cause.type : ''
  const lacking = /rows lack ([\w ]+)/.exec(cause.message)?.[1]
  if (lacking)
    return new ImportError(`${basename(file)} was only partly imported: a row lacks ${lacking}.`, { cause })
  if (!unreadableTypes.test(type)) return cause
  const row = /\(at row (\d+)\)/.exec(cause.message)?.[1]
  return unreadable(file, row && ` at row ${row}`, { cause })
}

type Stream = {
  url: string
  file: string
  format: ImportFormat
  params: { project: number; arrival: number }
}

/** Names of encodings that differ from the file's extension. */
const encodings: Partial<Record<ImportFormat['compression'], string>> = { gz: 'gzip', zst: 'zstd' }
const day = 24 * 60 * 60 * 1000

/** Streams a file to a ClickHouse server, which decompresses, parses and inserts it up to the first invalid row. */
async function importStream({ url, file, format, params }: Stream) {
  const encoding = encodings[format.compression] ?? format.compression
  const client = createClient({
    url,
    request_timeout: day,
    // Progress headers keep the connection alive.
    clickhouse_settings: { send_progress_in_http_headers: 1, http_headers_progress_interval_ms: '20000' },
    max_response_headers_size: 1_048_576,
    // The import's caller reports errors.
    log: { level: ClickHouseLogLevel.OFF },
    ...(encoding !== '' && { http_headers: { 'Content-Encoding': encoding } }),
  })
  const types = format.format === 'Parquet' ? parquetTypes : lineTypes
  const events = selectEvents(`input('${structureOf(types).replaceAll("'", "\\'")}')`, types)
  const checks = faults.map(({ name, expression }) => `throwIf(${expression}, 'rows lack ${name}') = 0`)
  const checked = `SELECT * FROM (${events}) WHERE ${checks.join(' AND ')}`
  try {
    const result = await client.exec({
      query: `INSERT INTO events (${importedColumns}) ${completeEvents(checked)} FORMAT ${format.format}`,
      values: createReadStream(file),
      query_params: params,
      clickhouse_settings: { ...importSettings, wait_end_of_query: 1 },
    })
    await finished(result.stream.resume())
    return { events: Number(result.summary?.written_rows ?? 0) }
  } finally {
    await client.close()
  }
}
