import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  compressionsOf,
  fileFormats,
  type Compression,
  type FileFormat,
} from '../../../contract/destinations/destination.ts'
import {
  closeTestExports,
  createFileExport,
  folder,
  hour,
  jobs,
  openTestExports,
  run,
  start,
  uuid,
} from '../../testing/test-exports.ts'

/* Reads exported files with DuckDB, which shares no code with the exporter. */

let duckdb: DuckDBConnection
beforeAll(async () => {
  await openTestExports()
  duckdb = await (await DuckDBInstance.create()).connect()
})
afterAll(async () => {
  duckdb.closeSync()
  await closeTestExports()
})

/** Events of two windows, each larger than the smallest size limit of a file. */
const events = Array.from({ length: 2000 }, (_, index) => ({
  uuid: uuid(index),
  event: `event ${index % 7}`,
  distinct_id: `visitor ü '${index % 50}'`,
  timestamp: start + Math.floor(index / 1000) * hour + index,
  properties: JSON.stringify({ index, text: `${index} "€" `.repeat(160) }),
}))

let inserted: Promise<void> | undefined
function insertOnce(): Promise<void> {
  // The second insert repeats events, which the engine keeps until it merges them.
  return (inserted ??= jobs.insertEvents(events).then(() => jobs.insertEvents(events.slice(500, 600))))
}

const layouts = fileFormats.flatMap((format) => [
  { format, compression: null, size: 1 },
  ...[null, ...compressionsOf[format]].map((compression) => ({ format, compression, size: null })),
])

test.each(layouts)(
  'DuckDB finds every event once, after a window was repaired: $format, $compression, at most $size MB',
  async ({ format, compression, size }) => {
    await insertOnce()
    const path = `duckdb/${format}-${compression}-${size}`
    const row = await createFileExport({ path, file_format: format, compression, max_file_size_mb: size })
    const exportWindow = (number: number) =>
      run(row, {
        data_interval_start: new Date(start + number * hour),
        data_interval_end: new Date(start + (number + 1) * hour),
      })
    const results = [await exportWindow(0), await exportWindow(1)]
    for (const { files } of results) expect(files.length > 1).toBe(size !== null)
    await rm(join(folder, results[1]?.files[0] ?? ''))
    await exportWindow(1)
    const rows = await readRows(join(folder, path), format, compression)
    expect(rows).toEqual(
      events.map(({ uuid, event, distinct_id, timestamp, properties }) => [
        uuid,
        event,
        distinct_id,
        timestamp,
        (JSON.parse(properties) as { text: string }).text,
      ]),
    )
  },
)

/** Returns the rows of all files in a folder, by UUID. */
async function readRows(place: string, format: FileFormat, compression: Compression | null) {
  if (format === 'JSONLines' && compression === 'brotli') return await linesOf(place)
  const files = `${place}/*.${format === 'Parquet' ? 'parquet' : 'jsonl*'}`
  const source =
    format === 'Parquet'
      ? `read_parquet('${files}')`
      : `read_json('${files}', format = 'newline_delimited', compression = '${compression ?? 'uncompressed'}')`
  const result = await duckdb.runAndReadAll(
    `SELECT uuid::VARCHAR, event, distinct_id, epoch_ms(timestamp::TIMESTAMPTZ), properties->>'text' FROM ${source} ORDER BY 1`,
  )
  return result
    .getRowsJS()
    .map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value)))
}

type Line = {
  uuid: string
  event: string
  distinct_id: string
  timestamp: string
  properties: { text: string }
}

/** Reads lines that DuckDB cannot decompress. */
async function linesOf(place: string) {
  const names = (await readdir(place)).filter((name) => name.includes('.jsonl'))
  const texts = await Promise.all(names.map((name) => readFile(join(place, name))))
  const lines = texts.flatMap((bytes) => brotliDecompressSync(bytes).toString().trimEnd().split('\n'))
  return lines
    .map((line) => JSON.parse(line) as Line)
    .toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1))
    .map((row) => [row.uuid, row.event, row.distinct_id, Date.parse(row.timestamp), row.properties.text])
}
