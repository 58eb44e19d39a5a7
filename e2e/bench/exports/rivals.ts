import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'

/* Rivals of the exports, in a process of their own: DuckDB, and a pipeline that handles each row in Node. */

/** What this process is asked to do. Times in the answer are in ms, memory is in MB. */
export type Task =
  | { do: 'load'; database: string; parquet: string }
  | { do: 'copy'; database: string; threads: number; place: string; compression: 'zstd' | 'uncompressed' }
  | { do: 'rows'; lines: string; place: string }
export type Answer = { ms: number; peak: number }

/** Level with which the engine compresses lines. */
const gzipLevel = 3

process.once('message', (task: Task) => void answer(task))

async function answer(task: Task): Promise<void> {
  process.send?.(await perform(task))
  process.disconnect()
}

async function perform(task: Task): Promise<Answer> {
  const work =
    task.do === 'rows' ? async () => await copyRows(task.lines, task.place) : await openDuckDb(task)
  const started = performance.now()
  await work()
  return { ms: performance.now() - started, peak: await peakResident() }
}

/** Opens DuckDB; the returned function runs the statement. */
async function openDuckDb(task: Exclude<Task, { do: 'rows' }>): Promise<() => Promise<unknown>> {
  const options = task.do === 'copy' ? { threads: String(task.threads) } : {}
  const instance = await DuckDBInstance.create(task.database, options)
  const connection = await instance.connect()
  if (task.do === 'load')
    return async () => {
      await connection.run(`CREATE TABLE events AS SELECT * FROM read_parquet('${task.parquet}')`)
      connection.closeSync()
      instance.closeSync()
    }
  // The first copy reads the table from the disk; only the second is measured.
  const copy = `COPY events TO '${task.place}' (FORMAT parquet, COMPRESSION ${task.compression})`
  await connection.run(copy)
  return async () => await connection.run(copy)
}

/** Parses, serializes and compresses one row after the other. */
async function copyRows(lines: string, place: string): Promise<void> {
  const rows = createInterface({ input: createReadStream(lines), crlfDelay: Infinity })
  const write = async function* () {
    for await (const line of rows) yield `${JSON.stringify(JSON.parse(line))}\n`
  }
  await pipeline(write, createGzip({ level: gzipLevel }), createWriteStream(place))
}

async function peakResident(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1000
}
