import { execFile, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Compression } from '../../src/contract/destinations/destination.ts'
import { cores } from '../../src/service/machine.ts'
import { fileContent } from '../../src/service/destinations/file-content.ts'
import { flush } from '../../src/service/engines/durable.ts'
import { withThreads } from '../../src/service/exporter/write-threads.ts'
import { createBenchExport, openBench, resetPeak, timeOf } from './bench-engines.ts'
import { median, type Figure } from './bench-figure.ts'
import { ledgerFigures, type BenchedRun } from './bench-ledger.ts'
import { few, many, window } from './exports/fill-events.ts'
import { keptExports } from './exports/kept-exports.ts'
import type { Answer, Task } from './exports/rivals.ts'
import { peakResident } from './exports/peak-resident.ts'

/*
 * Compares exports with bare statements, in the same process as the engine, as in the service, and with rivals in processes of
 * their own; prints figures as JSON.
 */

const rounds = 3
/** The exported columns with the file's types, so that both statements write the same data. */
const columns = {
  Parquet:
    'toString(uuid), timestamp, inserted_at, created_at, event, properties, distinct_id, elements_chain, person_properties, toString(person_id)',
  JSONLines:
    'uuid, timestamp, inserted_at, created_at, event, properties, distinct_id, elements_chain, person_properties, person_id',
}

type Form = { format: 'Parquet' | 'JSONLines'; compression: Compression | null }
const forms = {
  zstd: { format: 'Parquet', compression: 'zstd' },
  plain: { format: 'Parquet', compression: null },
  lines: { format: 'JSONLines', compression: 'gzip' },
} satisfies Record<string, Form>

const { dataDirectory, projectId } = await keptExports()
const { services, folder, close } = await openBench(dataDirectory, {
  SPOOL_EXPORT_THREADS: process.env['SPOOL_EXPORT_THREADS'] ?? '',
})
const { warehouse, exportsFolder, config } = services
/** Rows for the rivals: the same ones in a database of DuckDB, and 100,000 lines of JSON. */
const rivalData = { database: join(folder, 'rows.duckdb'), lines: join(folder, 'rows.jsonl') }

const [duckDb, rowByRowPipeline] = [startRival(), startRival()]

const figures = await measured().finally(close)
for (const rival of [duckDb, rowByRowPipeline]) rival.end()
console.log(JSON.stringify([...figures, ...(await coresFigures())]))

async function measured(): Promise<Figure[]> {
  await makeRivalData()
  await resetPeak(warehouse)
  const zstd = await compare(forms.zstd, () => copyWithDuckDb('zstd'))
  const plain = await compare(forms.plain, () => copyWithDuckDb('uncompressed'))
  // Measured once: it takes twelve times as long as the export.
  const rowByRow = await copyRowByRow()
  const lines = await compare(forms.lines, () => Promise.resolve(rowByRow))
  const peak = await peakResident()
  const ledger = await ledgerFigures(
    services,
    (compression) => runExport({ format: 'Parquet', compression }),
    () => removeFiles(exportsFolder ?? ''),
  )
  const [small, large] = [await growthTime(few), await growthTime(many)]
  const threads = `as many threads (${config.exportThreads})`
  return [
    over(`Parquet with zstd, the form's default, over bare`, 1.05, zstd),
    over('Parquet without compression, over bare', 1.05, plain),
    over('JSONLines with gzip, over bare', 0.9, lines),
    overRival(`Parquet with zstd, over DuckDB with ${threads}, which does not remove repeats`, zstd),
    overRival(`Parquet without compression, over DuckDB with ${threads}`, plain),
    overRival('JSONLines with gzip, over a Node pipeline that handles each row', lines),
    ...ledger,
    {
      name: `10,000,000 events to Parquet with zstd (${Math.round(large.ms)} ms), over 100 × 100,000 (${Math.round(small.ms)} ms)`,
      measured: large.ms / small.ms / 100,
      bound: 1.1,
      unit: '×',
    },
    { name: 'peak resident memory, 1,000,000 events', measured: peak, bound: 800, unit: 'MB' },
    { name: 'peak resident memory, 10,000,000 events', measured: large.peak, bound: 700, unit: 'MB' },
    { name: 'disk for 1,000,000 events', measured: await diskOfEvents(), bound: 200, unit: 'MB' },
  ]
}

/** Compares an export with one core to one with all, in processes of their own. More cores than this machine has, nobody has measured. */
async function coresFigures(): Promise<Figure[]> {
  if (cores() < 2) return []
  const timeWith = async (list: string) => {
    const script = join(import.meta.dirname, 'exports/export-time.ts')
    const command = ['-c', list, process.execPath, script, dataDirectory, String(projectId)]
    const { stdout } = await promisify(execFile)('taskset', command)
    return Number(stdout.trim())
  }
  const [one, all] = [await timeWith('0'), await timeWith(`0-${cores() - 1}`)]
  return [
    {
      name: `1,000,000 events to Parquet with zstd with ${cores()} cores (${Math.round(all)} ms), over one core (${Math.round(one)} ms)`,
      measured: all / one,
      bound: 0.7,
      unit: '×',
    },
  ]
}

type Compared = { own: number; bare: number; rival: number; rivalPeak: number }

/**
 * Measures the exporter, the bare statement and the rival in turn, and returns the medians of their times (ms). Only the
 * exporter removes repeats, hashes the file and flushes it to the disk.
 */
async function compare(form: Form, runRival: () => Promise<Answer>): Promise<Compared> {
  const measured: Compared[] = []
  for (let round = 0; round < rounds; round++) {
    const bare = await timeOf(() => runBare(form))
    await removeFiles(join(folder, 'bare'))
    const own = await timeOf(() => runExport(form))
    await removeFiles(exportsFolder ?? '')
    const answer = await runRival()
    await removeFiles(rivalPlace())
    measured.push({ own, bare, rival: answer.ms, rivalPeak: answer.peak })
  }
  const middle = (of: (each: Compared) => number) => median(measured.map(of))
  return {
    own: middle(({ own }) => own),
    bare: middle(({ bare }) => bare),
    rival: middle(({ rival }) => rival),
    rivalPeak: middle(({ rivalPeak }) => rivalPeak),
  }
}

function over(name: string, bound: number, { own, bare }: Compared) {
  const times = `${Math.round(own)} ms over ${Math.round(bare)}`
  return { name: `1,000,000 events to ${name} (${times})`, measured: own / bare, bound, unit: '×' }
}

function overRival(name: string, { own, rival, rivalPeak }: Compared) {
  const times = `${Math.round(own)} ms over ${Math.round(rival)} and ${Math.round(rivalPeak)} MB`
  return { name: `1,000,000 events to ${name} (${times})`, measured: own / rival, bound: 1, unit: '×' }
}

/** Returns the median time (ms) of an export of an hour, and the peak of resident memory (MB). */
async function growthTime(hour: typeof window): Promise<{ ms: number; peak: number }> {
  await resetPeak(warehouse)
  const times: number[] = []
  for (let round = 0; round < (hour === many ? 1 : rounds); round++) {
    times.push(await timeOf(() => runExport(forms.zstd, hour)))
    await removeFiles(exportsFolder ?? '')
  }
  return { ms: median(times), peak: await peakResident() }
}

async function runExport({ format, compression }: Form, hour = window): Promise<BenchedRun> {
  const config = { path: randomUUID(), file_format: format, compression }
  const run = await createBenchExport(
    services,
    projectId,
    { destination_type: 'File', destination_config: config },
    hour,
  )
  return await run()
}

/** Writes the rows of the hour once for the rivals. */
async function makeRivalData(): Promise<void> {
  if (existsSync(rivalData.database) && existsSync(rivalData.lines)) return
  await rm(rivalData.database, { force: true })
  const parquet = join(folder, 'bare')
  await runBare(forms.plain, parquet)
  // In a process of its own, whose memory does not count.
  const loader = startRival()
  await loader.ask({ do: 'load', database: rivalData.database, parquet })
  loader.end()
  await rm(parquet)
  await rm(rivalData.lines, { force: true })
  await runBare({ format: 'JSONLines', compression: null }, rivalData.lines, few)
}

function copyWithDuckDb(compression: 'zstd' | 'uncompressed'): Promise<Answer> {
  const { exportThreads: threads } = config
  return duckDb.ask({ do: 'copy', database: rivalData.database, threads, place: rivalPlace(), compression })
}

/** A tenth of the rows, because all of them take ten times as long as the export. */
async function copyRowByRow(): Promise<Answer> {
  const { ms, peak } = await rowByRowPipeline.ask({
    do: 'rows',
    lines: rivalData.lines,
    place: rivalPlace(),
  })
  return { ms: 10 * ms, peak }
}

function rivalPlace(): string {
  return join(folder, 'rival')
}

/** Starts a process for rivals. */
function startRival() {
  const child = fork(join(import.meta.dirname, 'exports/rivals.ts'))
  const ended = new AbortController()
  child.once('exit', (code) => ended.abort(new Error(`A rival ended with ${code}.`)))
  return {
    async ask(task: Task): Promise<Answer> {
      child.send(task)
      const [answer] = await once(child, 'message', { signal: ended.signal })
      return answer as Answer
    },
    end: () => child.disconnect(),
  }
}

/** Removes the files and flushes the disk, so that neither measurement includes the other's writes. */
async function removeFiles(place: string): Promise<void> {
  await rm(place, { recursive: true, force: true })
  await flush(folder)
  await setTimeout(250)
}

async function runBare(
  { format, compression }: Form,
  place = join(folder, 'bare'),
  hour = window,
): Promise<void> {
  const rows = { from: '', withRepeats: null, columns: [], params: {} }
  const { settings } = fileContent(rows, format, compression)
  const name = format === 'Parquet' ? 'Parquet' : 'JSONEachRow'
  await withThreads(config, (threads) =>
    warehouse.command(
      `INSERT INTO FUNCTION file({place: String}, ${name}, 'auto', '${compression ?? 'none'}') /*settings*/
       SELECT ${columns[format]} FROM events WHERE team_id = {team: Int64}
         AND inserted_at >= fromUnixTimestamp64Milli({from: Int64}, 'UTC') AND inserted_at < fromUnixTimestamp64Milli({to: Int64}, 'UTC')`,
      {
        // The file is new each time, like the exporter's: it is removed before the next round.
        params: { place, team: projectId, from: hour.start, to: hour.end },
        settings: { ...threads, ...settings },
        lane: 'export',
      },
    ),
  )
}

/** Returns the size (MB) of a million events on the disk. */
async function diskOfEvents(): Promise<number> {
  const [parts] = await warehouse.query<{ bytes: number; rows: number }>(
    `SELECT sum(bytes_on_disk) AS bytes, sum(rows) AS rows FROM system.parts WHERE table = 'events' AND active`,
  )
  return (parts?.bytes ?? NaN) / (parts?.rows ?? NaN)
}
