import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import type { Compression } from '../../src/contract/destinations/destination.ts'
import { windowAt } from '../../src/contract/interval.ts'
import type { QuerySettings } from '../../src/service/engines/clickhouse/clickhouse.ts'
import { createOrganization } from '../../src/service/auth/new-organization.ts'
import { systemClock } from '../../src/service/clock.ts'
import { readConfig } from '../../src/service/config.ts'
import { flush } from '../../src/service/engines/durable.ts'
import { openEngines } from '../../src/service/engines/engines.ts'
import { exportRun } from '../../src/service/exporter/export-run.ts'
import { fileContent } from '../../src/service/destinations/file-content.ts'
import { writtenWindow } from '../../src/service/runs/worker.ts'
import { openServices } from '../../src/service/open-services.ts'
import { insertScheduledRuns } from '../../src/service/store/runs/write-runs.ts'
import { newId } from '../../src/service/store/schema/identifier.ts'
import { ledgerFigures, type BenchedRun } from './bench-ledger.ts'

/* Compares exports with bare statements, in the same process as the engine, as in the service; prints figures as JSON. */

/** Odd, so that the median is one of the measurements. */
const rounds = 11
const window = windowAt('hour', Date.UTC(2026, 0, 1, 10))
/** The exported columns with the file's types, so that both statements write the same data. */
const columns = {
  Parquet:
    'toString(uuid), timestamp, inserted_at, created_at, event, properties, distinct_id, elements_chain, person_properties, toString(person_id)',
  JSONLines:
    'uuid, timestamp, inserted_at, created_at, event, properties, distinct_id, elements_chain, person_properties, person_id',
}

const folder = await mkdtemp(join(tmpdir(), 'spool-bench-'))
const config = readConfig({ SPOOL_DATA_DIR: folder, SPOOL_SAMPLE_DATA: 'off' })
const engines = await openEngines(config)
const logger = pino({ level: 'silent' })
const services = await openServices(engines, { config, clock: systemClock, logger })
const { store, warehouse, exportsFolder } = services
const { project_id: projectId } = await createOrganization(store, Date.now(), {
  name: 'Bench',
  projectName: 'Bench',
  keyLabel: 'Bench',
})

try {
  await insertEvents(1_000_000, window.start)
  await resetPeak()
  const parquet = await ratio('Parquet', null)
  const compressed = await ratio('Parquet', 'zstd')
  const lines = await ratio('JSONLines', 'gzip')
  const ledger = await ledgerFigures(
    services,
    (compression) => runExport('Parquet', compression),
    () => removeFiles(exportsFolder ?? ''),
  )
  const residentMax = await peakResident()
  await insertEvents(9_000_000, window.start)
  await resetPeak()
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
  await engines.stop()
  await rm(folder, { recursive: true, force: true })
}

async function insertEvents(count: number, from: number): Promise<void> {
  const batch = 100_000
  for (let done = 0; done < count; done += batch)
    await warehouse.command(
      `INSERT INTO events (team_id, uuid, event, properties, distinct_id, timestamp, created_at, inserted_at, elements_chain, person_id, person_properties)
      SELECT {team: Int64}, generateUUIDv4(), ['$pageview', '$autocapture', 'order placed', '$pageleave'][1 + number % 4],
        concat('{"$browser":"Chrome","$os":"Mac OS X","$screen_width":1440,"$lib":"web","$lib_version":"1.449.2","$current_url":"https://shop.example/products/', toString(rand() % 5000), '","$session_id":"', toString(generateUUIDv4()), '","$device_id":"', toString(generateUUIDv4()), '","title":"A lamp of brass and linen","price":', toString(rand() % 900), '}'),
        concat('visitor-', toString(rand(1) % 20000)), fromUnixTimestamp64Milli({from: Int64} + rand(2) % 3600000, 'UTC') AS time, time, time + INTERVAL 2 SECOND,
        if(number % 4 = 1, 'button.primary:attr__class="primary"nth-child="2"text="Add to cart";div:nth-child="1"', ''), generateUUIDv4(), '{"email":"someone@example.com","plan":"pro"}'
      FROM numbers({batch: UInt64})`,
      { params: { team: projectId, from, batch } },
    )
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

async function runExport(
  format: 'Parquet' | 'JSONLines',
  compression: Compression | null,
): Promise<BenchedRun> {
  const now = new Date()
  const exportRow = await store
    .insertInto('batch_exports')
    .values({
      id: newId(now.getTime()),
      project_id: projectId,
      name: 'Bench',
      model: 'events',
      destination_type: 'File',
      destination_config: { path: randomUUID(), file_format: format, compression },
      destination_secrets: null,
      interval: 'hour',
      paused: true,
      hogql_query: null,
      schema: null,
      created_at: now,
      last_updated_at: now,
      last_paused_at: now,
      start_at: null,
      end_at: null,
      deleted_at: null,
      scheduled_until: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const [id = ''] = await store
    .transaction()
    .execute((transaction) => insertScheduledRuns(transaction, exportRow, [window], Date.now()))
  const run = await store
    .selectFrom('batch_export_runs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const result = await exportRun(services, exportRow, run, {
    onProgress: () => undefined,
    signal: new AbortController().signal,
  })
  if (result.records < 900_000) throw new Error(`exported ${result.records} rows`)
  return { exportRow, ...writtenWindow(exportRow, run, result) }
}

/** Waits until the engine has merged the inserted parts; merging is not the exporter's work. */
async function mergesDone(): Promise<void> {
  for (;;) {
    const [running] = await warehouse.query<{ count: number }>('SELECT count() AS count FROM system.merges')
    if (running?.count === 0) return
    await setTimeout(200)
  }
}

/** Resets the kernel's peak of resident memory, to exclude the filling of the tables. */
async function resetPeak(): Promise<void> {
  await mergesDone()
  await writeFile('/proc/self/clear_refs', '5')
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Returns the kernel's peak of this process's resident memory, in MB. */
async function peakResident(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1000
}
