import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { quoteString } from '../../engines/statement.ts'
import { ImportError } from './import-error.ts'
import { personIdSql } from '../persons/person-id.ts'

export type ImportFormat = {
  format: 'Parquet' | 'JSONEachRow'
  /** The ending of the whole file's compression; none is ''. */
  compression: '' | 'gz' | 'zst' | 'br' | 'lz4' | 'bz2' | 'xz' | 'snappy'
}

/** Types of the file's columns by name, as ClickHouse names them. */
export type ColumnTypes = Readonly<Record<string, string>>

const requiredColumns = ['uuid', 'event', 'distinct_id', 'timestamp']
const optionalColumns = ['properties', 'created_at', 'elements_chain', 'person_id', 'person_properties']
const endings = /\.(parquet|jsonl|jsonlines|ndjson|json)(?:\.(gz|zst|br|lz4|bz2|xz|snappy))?$/i
const compressions = ['gz', 'zst', 'br', 'lz4', 'bz2', 'xz', 'snappy'] as const

/** Every value of a JSON line as text, an object as the text that stands there. */
export const lineTypes: ColumnTypes = Object.fromEntries(
  [...requiredColumns, ...optionalColumns].map((name) => [name, 'Nullable(String)']),
)
/** For a Parquet file whose own columns cannot be asked for beforehand. */
export const parquetTypes: ColumnTypes = {
  ...lineTypes,
  timestamp: "Nullable(DateTime64(6, 'UTC'))",
  created_at: "Nullable(DateTime64(6, 'UTC'))",
}

/** How the file is written, by its name. @throws ImportError when it is no such file, or of another kind. */
export async function fileFormat(file: string): Promise<ImportFormat> {
  const found = await stat(file).catch(() => null)
  if (!found) throw new ImportError(`There is no file ${file}.`)
  if (!found.isFile()) throw new ImportError(`${file} is not a file.`)
  const match = endings.exec(basename(file))
  if (!match) {
    throw new ImportError(
      `${basename(file)} is of an unknown format: its name must end in .parquet, .jsonl, .ndjson or .json, also with .${compressions.join(', .')}.`,
    )
  }
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

/** @throws ImportError when a column without which there is no event is not in the file. */
export function assertColumns(file: string, types: ColumnTypes): void {
  const missing = requiredColumns.filter((name) => types[name] === undefined)
  if (missing.length === 0) return
  throw new ImportError(`${basename(file)} has no column ${missing.join(' and no column ')}.`)
}

/**
 * A SELECT of the events as they are in the table, null where a row lacks what it needs.
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

/** What each row must have; the expression tells over `selectEvents` whether it lacks it. */
export const faults: readonly { name: string; expression: string }[] = [
  { name: 'a valid uuid', expression: 'uuid IS NULL' },
  { name: 'an event', expression: 'event IS NULL' },
  { name: 'a distinct_id', expression: 'distinct_id IS NULL' },
  { name: 'a valid timestamp', expression: 'timestamp IS NULL' },
  { name: 'a JSON object as its properties', expression: 'properties IS NULL' },
  { name: 'a JSON object as its person_properties', expression: 'person_properties IS NULL' },
]

/** The columns of `events` that an import writes. */
export const importedColumns =
  'team_id, uuid, event, properties, distinct_id, timestamp, created_at, inserted_at, elements_chain, person_id, person_properties'

/** The columns of `importedColumns` over `selectEvents`; needs the parameters project (Int64) and arrival (Int64, milliseconds). */
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

/** An object as text on one line; '{}' when there is none, null when it is no object. */
function jsonOf(name: string, types: ColumnTypes): string {
  const type = types[name]
  if (type === undefined) return `CAST('{}', 'Nullable(String)')`
  const text =
    /String/.test(type) && !/^(Nullable\()?(Array|Tuple|Map|JSON)/.test(type)
      ? `toString(${name})`
      : `toJSONString(${name})`
  const given = `trimBoth(translate(ifNull(nullIf(${text}, ''), '{}'), '\\n\\r', '  '))`
  // The parser refuses integers beyond 64 bits and lone surrogates, which JSON allows: a second look goes without them.
  const tolerated = quoteString(String.raw`[1-9][0-9]{18,}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}`)
  const isObject = `startsWith(${given}, '{') AND (isValidJSON(${given}) OR isValidJSON(replaceRegexpAll(${given}, ${tolerated}, '1')))`
  return `if(${isObject}, ${given}, NULL)`
}
