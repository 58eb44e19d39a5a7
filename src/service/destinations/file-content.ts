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
  max_insert_threads: 1,
  // The engine reads as many rows at once as a block may have, and only then learns their size: with few, large rows need no more
  // memory than small ones, and the processor's cache holds a block until it is written.
  max_block_size: 64,
  min_insert_block_size_rows: 0,
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
  // Row groups and pages are limited by bytes as well, so that large rows need no more memory than small ones.
  min_insert_block_size_bytes: 8_000_000,
  output_format_parquet_row_group_size: 50_000,
  output_format_parquet_row_group_size_bytes: 16_000_000,
  output_format_parquet_batch_size: 32,
  // A dictionary does not help with unique texts, and readers rarely use bloom filters. Together they would account for
  // a third of the write time.
  output_format_parquet_max_dictionary_size: 65_536,
  output_format_parquet_write_bloom_filter: 0,
}

const lines: QuerySettings = {
  // Lines need not be joined again before they are written.
  min_insert_block_size_bytes: 0,
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
    settings: { ...common, ...parquet, ...compressionSettings(compression) },
    params: rows.params,
  }
}

function compressionSettings(compression: Compression | null): QuerySettings {
  return {
    output_format_parquet_compression_method: compression ?? 'none',
    // Higher levels take much longer, and files become hardly smaller.
    ...(compression === 'zstd' && { output_format_compression_level: 1 }),
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

/** Returns settings with one thread and smaller Parquet row groups, since every part being written buffers one. */
export function splitSettings(content: FileContent, parts: Parts): QuerySettings {
  const count = parts.end - parts.first
  const settings = { ...content.settings, max_threads: 1 }
  if (content.format !== 'Parquet') return settings
  return {
    ...settings,
    output_format_parquet_parallel_encoding: 0,
    output_format_parquet_row_group_size: Math.max(2000, Math.floor(50_000 / count)),
    output_format_parquet_row_group_size_bytes: Math.floor(16_000_000 / count),
  }
}
