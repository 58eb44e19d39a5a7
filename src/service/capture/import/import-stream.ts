import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { createReadStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { QuerySettings } from '../../engines/clickhouse/clickhouse.ts'
import {
  completeEvents,
  importedColumns,
  faults,
  lineTypes,
  parquetTypes,
  selectEvents,
  structureOf,
  type ImportFormat,
} from './import-source.ts'

type Stream = {
  url: string
  file: string
  format: ImportFormat
  params: { project: number; arrival: number }
  settings: QuerySettings
}

/** Names of encodings that differ from the file's extension. */
const encodings: Partial<Record<ImportFormat['compression'], string>> = { gz: 'gzip', zst: 'zstd' }
const day = 24 * 60 * 60 * 1000

/** Streams a file to a ClickHouse server, which decompresses, parses and inserts it up to the first invalid row. */
export async function importStream({ url, file, format, params, settings }: Stream) {
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
      clickhouse_settings: { ...settings, wait_end_of_query: 1 },
    })
    await finished(result.stream.resume())
    return { events: Number(result.summary?.written_rows ?? 0) }
  } finally {
    await client.close()
  }
}
