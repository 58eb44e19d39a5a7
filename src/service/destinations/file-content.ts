import type { Compression, FileFormat } from '../../contract/destinations/destination.ts'
import { statementMemory, type EngineLimits } from '../config.ts'
import type { QuerySettings, Row } from '../engines/clickhouse/clickhouse.ts'
import { quoteIdentifier, selectColumns, selectLines, type RunRows } from '../warehouse/run-rows.ts'

/** How rows are written to a file: arguments of `file` and `s3`, and the SELECT that supplies the rows. */
export type FileContent = {
  format: string
  structure: string
  compression: string
  select: string
  /** The columns of `select`. */
  columns: readonly string[]
  settings: QuerySettings
  params: Row
}

const common: QuerySettings = {
  max_threads: 1,
  max_insert_threads: 1,
  ...limitMemory(400_000_000),
  max_read_buffer_size: 131_072,
  // FINAL must also read rows of earlier windows, so that they replace their repeats in this one.
  use_skip_indexes_if_final_exact_mode: 1,
  engine_file_truncate_on_insert: 1,
  s3_truncate_on_insert: 1,
  s3_retry_attempts: 1,
  s3_connect_timeout_ms: 5000,
  // A killed statement keeps its connection for up to this time, and a stopping process waits for it.
  s3_request_timeout_ms: 8000,
  // Without a limit, the engine does not count the bytes that it sends.
  max_remote_write_network_bandwidth: 1e12,
  s3_min_upload_part_size: 16_777_216,
  s3_max_single_part_upload_size: 16_777_216,
  s3_max_inflight_parts_for_one_file: 2,
}

const parquet: QuerySettings = {
  output_format_parquet_row_group_size: 50_000,
  output_format_parquet_parallel_encoding: 0,
  // A dictionary does not help with unique texts, and readers rarely use bloom filters. Together they would account for
  // a third of the write time.
  output_format_parquet_max_dictionary_size: 65_536,
  output_format_parquet_write_bloom_filter: 0,
}

const lines: QuerySettings = {
  date_time_output_format: 'iso',
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_denormals: 0,
  output_format_json_escape_forward_slashes: 0,
}

/** Settings for statements that only read a run's rows. */
export const readSettings = {
  max_threads: 1,
  ...limitMemory(400_000_000),
  use_skip_indexes_if_final_exact_mode: 1,
}

/** Returns the options of a run's statement that only reads rows. */
export function readOptions(limits: EngineLimits, params: Row, mark: string) {
  return { params, settings: { ...readSettings, ...memoryLimits(limits) }, lane: 'export' as const, mark }
}

/** Returns settings that limit a statement's memory to that of a worker. */
export function memoryLimits(limits: EngineLimits) {
  return limitMemory(statementMemory(limits))
}

/** Returns settings that limit a statement's memory (bytes). */
function limitMemory(bytes: number) {
  return { max_memory_usage: bytes, max_bytes_before_external_group_by: Math.floor(0.3 * bytes) }
}

export function fileContent(rows: RunRows, format: FileFormat, compression: Compression | null): FileContent {
  if (format === 'JSONLines')
    return {
      format: 'LineAsString',
      structure: 'line String',
      compression: compression ?? 'none',
      select: selectLines(rows),
      columns: ['line'],
      settings: { ...common, ...lines },
      params: rows.params,
    }
  return {
    format: 'Parquet',
    structure: 'auto',
    compression: 'none',
    select: selectColumns(rows),
    columns: rows.columns.map(({ name }) => name),
    settings: { ...common, ...parquet, output_format_parquet_compression_method: compression ?? 'none' },
    params: rows.params,
  }
}

/** Parts of a split file that one statement writes: from `first` up to but excluding `end`, of `count` in total. */
export type Parts = { first: number; end: number; count: number }

/** Parts that one statement writes; each part buffers rows and an upload in memory. */
export const partsAtOnceMax = 8

/**
 * Returns the statement by which a run writes a file. With `parts`, a row's hash selects the part, whose number replaces
 * `{_partition_id}` in the place.
 */
export function writeStatement(place: string, content: FileContent, parts: Parts | null): string {
  if (!parts) return `INSERT INTO FUNCTION ${place} /*settings*/ ${content.select}`
  const part = partOf(content, parts)
  const range = `part >= ${Number(parts.first)} AND part < ${Number(parts.end)}`
  return `INSERT INTO FUNCTION ${place} PARTITION BY ${part} /*settings*/
    SELECT * FROM (${content.select}) WHERE ${range.replaceAll('part', part)}`
}

/** Returns the statement that selects the rows of one part. */
export function selectPart(content: FileContent, parts: Parts, part: number): string {
  return `SELECT * FROM (${content.select}) WHERE ${partOf(content, parts)} = ${Number(part)}`
}

function partOf({ columns }: FileContent, { count }: Parts): string {
  return `cityHash64(${columns.map(quoteIdentifier).join(', ')}) % ${Number(count)}`
}

/** Returns settings with smaller Parquet row groups, since every part being written buffers one. */
export function splitSettings(content: FileContent, parts: Parts): QuerySettings {
  const rows = Math.max(2000, Math.floor(50_000 / (parts.end - parts.first)))
  if (content.format !== 'Parquet') return content.settings
  return { ...content.settings, output_format_parquet_row_group_size: rows }
}
