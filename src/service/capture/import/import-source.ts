import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { quoteString } from '../../engines/clickhouse/statement.ts'
import { personIdSql } from '../persons/person-id.ts'

/** A failed import, explained in one sentence for the user. */
export class ImportError extends Error {
  override name = 'ImportError'
}

const compressions = ['gz', 'zst', 'br', 'lz4', 'bz2', 'xz', 'snappy'] as const

export type ImportFormat = {
  format: 'Parquet' | 'JSONEachRow'
  /** File extension of the compression; '' if uncompressed. */
  compression: '' | (typeof compressions)[number]
}

/** ClickHouse types of the file's columns, by column name. */
export type ColumnTypes = Readonly<Record<string, string>>

const requiredColumns = ['uuid', 'event', 'distinct_id', 'timestamp']
const optionalColumns = ['properties', 'created_at', 'elements_chain', 'person_id', 'person_properties']
const endings = /\.(parquet|jsonl|jsonlines|ndjson|json)(?:\.(gz|zst|br|lz4|bz2|xz|snappy))?$/i

/** Column types of a JSONLines file: every value is read as text, objects included. */
export const lineTypes: ColumnTypes = Object.fromEntries(
  [...requiredColumns, ...optionalColumns].map((name) => [name, 'Nullable(String)']),
)
/** Column types for a Parquet file whose columns cannot be queried first. */
export const parquetTypes: ColumnTypes = {
  ...lineTypes,
  timestamp: "Nullable(DateTime64(6, 'UTC'))",
  created_at: "Nullable(DateTime64(6, 'UTC'))",
}

/** Returns a file's format, as indicated by its name. @throws ImportError for a missing file or an unknown format. */
export async function fileFormat(file: string): Promise<ImportFormat> {
  const found = await stat(file).catch(() => null)
  if (!found) throw new ImportError(`There is no file ${file}.`)
  if (!found.isFile()) throw new ImportError(`${file} is not a file.`)
  const match = endings.exec(basename(file))
  if (!match)
    throw new ImportError(
      `${basename(file)} has an unknown format: its name must end in .parquet, .jsonl, .ndjson or .json, optionally followed by .${compressions.join(', .')}.`,
    )
  return {
    format: match[1]?.toLowerCase() === 'parquet' ? 'Parquet' : 'JSONEachRow',
    compression: compressions.find((ending) => ending === match[2]?.toLowerCase()) ?? '',
  }
}

export function structureOf(types: ColumnTypes): string {
  return Object.entries(types)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')
}

/** @throws ImportError when the file lacks a required column. */
export function assertColumns(file: string, types: ColumnTypes): void {
  const missing = requiredColumns.filter((name) => types[name] === undefined)
  if (missing.length === 0) return
  throw new ImportError(`${basename(file)} has no column ${missing.join(' and no column ')}.`)
}

/**
 * Returns a SELECT of the file's events as columns of `events`; a required value that a row lacks is NULL.
 * @param source the file as a table expression.
 */
export function selectEvents(source: string, types: ColumnTypes): string {
  return `SELECT
    ${uuidOf('uuid', types)} AS uuid,
    nullIf(leftUTF8(${textOf('event', types)}, 200), '') AS event,
    nullIf(leftUTF8(${textOf('distinct_id', types)}, 200), '') AS distinct_id,
    ${timeOf('timestamp', types)} AS timestamp,
    ${jsonOf('properties', types)} AS properties,
    ${types['created_at'] === undefined ? 'NULL' : timeOf('created_at', types)} AS created_at,
    ifNull(${textOf('elements_chain', types)}, '') AS elements_chain,
    ${types['person_id'] === undefined ? 'NULL' : uuidOf('person_id', types)} AS person_id,
    ${jsonOf('person_properties', types)} AS person_properties
    FROM ${source}`
}

/** Values that each row must have; `expression` is true for rows of `selectEvents` that lack the value. */
export const faults: readonly { name: string; expression: string }[] = [
  { name: 'a valid uuid', expression: 'uuid IS NULL' },
  { name: 'an event', expression: 'event IS NULL' },
  { name: 'a distinct_id', expression: 'distinct_id IS NULL' },
  { name: 'a valid timestamp', expression: 'timestamp IS NULL' },
  { name: 'a JSON object as its properties', expression: 'properties IS NULL' },
  { name: 'a JSON object as its person_properties', expression: 'person_properties IS NULL' },
]

/** Columns of `events` that an import writes. */
export const importedColumns =
  'team_id, uuid, event, properties, distinct_id, timestamp, created_at, inserted_at, elements_chain, person_id, person_properties'

/** Selects `importedColumns` from `selectEvents`; requires the parameters project (Int64) and arrival (Int64, ms). */
export function completeEvents(events: string): string {
  const arrival = `fromUnixTimestamp64Milli({arrival: Int64}, 'UTC')`
  const personId = personIdSql('{project: Int64}', 'assumeNotNull(distinct_id)')
  return `SELECT {project: Int64} AS team_id, assumeNotNull(uuid), assumeNotNull(event), assumeNotNull(properties),
    assumeNotNull(distinct_id), assumeNotNull(timestamp), ifNull(created_at, ${arrival}), ${arrival}, elements_chain,
    ifNull(person_id, ${personId}), assumeNotNull(person_properties) FROM (${events})`
}

function textOf(name: string, types: ColumnTypes): string {
  return types[name] === undefined ? "CAST(NULL, 'Nullable(String)')" : `toString(${name})`
}

function uuidOf(name: string, types: ColumnTypes): string {
  const isBinary = types[name]?.includes('FixedString(16)') ?? false
  return `toUUIDOrNull(${isBinary ? `UUIDNumToString(${name})` : `toString(${name})`})`
}

function timeOf(name: string, types: ColumnTypes): string {
  if (types[name]?.includes('DateTime')) return `toDateTime64(${name}, 6, 'UTC')`
  return `parseDateTime64BestEffortOrNull(toString(${name}), 6, 'UTC')`
}

/** SQL for a JSON object as text on one line: '{}' if the value is missing, NULL if it is not an object. */
function jsonOf(name: string, types: ColumnTypes): string {
  const type = types[name]
  if (type === undefined) return `CAST('{}', 'Nullable(String)')`
  const text =
    /String/.test(type) && !/^(Nullable\()?(Array|Tuple|Map|JSON)/.test(type)
      ? `toString(${name})`
      : `toJSONString(${name})`
  const given = `trimBoth(translate(ifNull(nullIf(${text}, ''), '{}'), '\\n\\r', '  '))`
  // The parser rejects integers beyond 64 bits and lone surrogates, which JSON allows, so a second check replaces them.
  const tolerated = quoteString(String.raw`[1-9][0-9]{18,}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}`)
  const isObject = `startsWith(${given}, '{') AND (isValidJSON(${given}) OR isValidJSON(replaceRegexpAll(${given}, ${tolerated}, '1')))`
  return `if(${isObject}, ${given}, NULL)`
}
