import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { peakResident, resetPeakResident } from './peak-resident.ts'

/* Rivals of the exports, in processes of their own: DuckDB, and a pipeline that handles each row in Node. */

/** What this process is asked to do. Times in the answer are in ms, memory is in MB. */
export type Task =
  | { do: 'load'; database: string; parquet: string }
  | { do: 'copy'; database: string; threads: number; place: string; compression: 'zstd' | 'uncompressed' }
  | { do: 'rows'; lines: string; place: string }
export type Answer = { ms: number; peak: number }
type CopyTask = Extract<Task, { do: 'copy' }>

/** Level with which the engine compresses lines. */
const gzipLevel = 3

process.on('message', (task: Task) => void answer(task))
process.once('disconnect', () => process.exit())
let connected: Promise<DuckDBConnection> | undefined

async function answer(task: Task): Promise<void> {
  const work = await prepared(task)
  await resetPeakResident()
  const started = performance.now()
  await work()
  const ms = performance.now() - started
  process.send?.({ ms, peak: await peakResident() })
}

/** Returns the work of a task, without what is not measured: connecting to DuckDB and the first copy. */
async function prepared(task: Task): Promise<() => Promise<unknown>> {
  if (task.do === 'rows') return () => copyRows(task.lines, task.place)
  if (task.do === 'load') return () => load(task)
  const connection = await (connected ??= connectDuckDb(task))
  return () => connection.run(copyStatement(task))
}

async function load({ database, parquet }: Extract<Task, { do: 'load' }>): Promise<void> {
  const instance = await DuckDBInstance.create(database)
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE events AS SELECT * FROM read_parquet('${parquet}')`)
  connection.closeSync()
  instance.closeSync()
}

/** Connects, and copies once: the first copy also reads the table from the disk, and is not measured. */
async function connectDuckDb(task: CopyTask): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(task.database, { threads: String(task.threads) })
  const connection = await instance.connect()
  await connection.run(copyStatement(task))
  return connection
}

function copyStatement({ place, compression }: CopyTask): string {
  return `COPY events TO '${place}' (FORMAT parquet, COMPRESSION ${compression})`
}

/** Parses, serializes and compresses one row after the other. */
async function copyRows(lines: string, place: string): Promise<void> {
  const rows = createInterface({ input: createReadStream(lines), crlfDelay: Infinity })
  const write = async function* () {
    for await (const line of rows) yield `${JSON.stringify(JSON.parse(line))}\n`
  }
  await pipeline(write, createGzip({ level: gzipLevel }), createWriteStream(place))
}
