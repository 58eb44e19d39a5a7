import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Compression } from '../../src/contract/destinations/destination.ts'
import { fileContent } from '../../src/service/destinations/file-content.ts'
import type { QuerySettings } from '../../src/service/engines/clickhouse/clickhouse.ts'
import { flush } from '../../src/service/engines/durable.ts'
import {
  insertEvents,
  openBench,
  peakResident,
  resetPeak,
  createBenchExport,
  timeOf,
  window,
} from './bench-engines.ts'
import { ledgerFigures, type BenchedRun } from './bench-ledger.ts'

/* Compares exports with bare statements, in the same process as the engine, as in the service; prints figures as JSON. */

/** Odd, so that the median is one of the measurements. */
const rounds = 11
/** The exported columns with the file's types, so that both statements write the same data. */
const columns = {
  Parquet:
    'toString(uuid), timestamp, inserted_at, created_at, event, properties, distinct_id, elements_chain, person_properties, toString(person_id)',
  JSONLines:
    'uuid, timestamp, inserted_at, created_at, event, properties, distinct_id, elements_chain, person_properties, person_id',
}

const { services, folder, projectId, close } = await openBench()
const { warehouse, exportsFolder } = services

try {
  await insertEvents(services, projectId, 1_000_000)
  await resetPeak(warehouse)
  const parquet = await ratio('Parquet', null)
  const compressed = await ratio('Parquet', 'zstd')
  const lines = await ratio('JSONLines', 'gzip')
  const ledger = await ledgerFigures(
    services,
    (compression) => runExport('Parquet', compression),
    () => removeFiles(exportsFolder ?? ''),
  )
  const residentMax = await peakResident()
  await insertEvents(services, projectId, 9_000_000)
  await resetPeak(warehouse)
  const tenMillion = await timeOf(() => runExport('Parquet', null))
  const figures = [
    {
      name: `an hour of 1,000,000 events to Parquet, over bare (${parquet.bare} ms)`,
      measured: parquet.ratio,
      bound: 1.3,
      unit: '×',
    },
    {
      name: `the same with zstd, the form's default, over bare (${compressed.bare} ms)`,
      measured: compressed.ratio,
      bound: 1.3,
      unit: '×',
    },
    {
      name: `the same to JSONLines with gzip, over bare (${lines.bare} ms)`,
      measured: lines.ratio,
      bound: 1.5,
      unit: '×',
    },
    ...ledger,
    {
      name: 'peak resident memory, 1,000,000 events',
      measured: residentMax,
      bound: 900,
      unit: 'MB',
    },
    {
      name: `peak resident memory, 10,000,000 events (${Math.round(tenMillion / 1000)} s)`,
      measured: await peakResident(),
      bound: 900,
      unit: 'MB',
    },
  ]
  console.log(JSON.stringify(figures))
} finally {
  await close()
}

/**
 * Measures the median ratio of the exporter's time to that of the bare statement just before. The exporter fsyncs its file; the
 * bare statement does not.
 */
async function ratio(
  format: 'Parquet' | 'JSONLines',
  compression: Compression | null,
): Promise<{ ratio: number; bare: number }> {
  const measured: { ratio: number; bare: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const bare = await timeOf(() => runBare(format, compression))
    await removeFiles(join(folder, 'bare'))
    const own = await timeOf(() => runExport(format, compression))
    await removeFiles(exportsFolder ?? '')
    measured.push({ ratio: own / bare, bare: Math.round(bare) })
  }
  return measured.sort((a, b) => a.ratio - b.ratio)[(rounds - 1) / 2] ?? { ratio: NaN, bare: NaN }
}

async function runExport(
  format: 'Parquet' | 'JSONLines',
  compression: Compression | null,
): Promise<BenchedRun> {
  const config = { path: randomUUID(), file_format: format, compression }
  const run = await createBenchExport(services, projectId, {
    destination_type: 'File',
    destination_config: config,
  })
  return await run()
}

/** Removes the files and flushes the disk, so that neither measurement includes the other's writes. */
async function removeFiles(place: string): Promise<void> {
  await rm(place, { recursive: true, force: true })
  await flush(folder)
  await setTimeout(500)
}

async function runBare(format: 'Parquet' | 'JSONLines', compression: Compression | null): Promise<void> {
  const settings: QuerySettings = fileContent(
    { from: '', withRepeats: null, columns: [], params: {} },
    format,
    compression,
  ).settings
  const name = format === 'Parquet' ? 'Parquet' : 'JSONEachRow'
  await warehouse.command(
    `INSERT INTO FUNCTION file({place: String}, ${name}, 'auto', '${compression ?? 'none'}') /*settings*/
     SELECT ${columns[format]} FROM events WHERE team_id = {team: Int64}
       AND inserted_at >= fromUnixTimestamp64Milli({from: Int64}, 'UTC') AND inserted_at < fromUnixTimestamp64Milli({to: Int64}, 'UTC')`,
    {
      // The file is new each time, like the exporter's: it is removed before the next round.
      params: { place: join(folder, 'bare'), team: projectId, from: window.start, to: window.end },
      settings,
      lane: 'export',
    },
  )
}
