import { parseError } from '@clickhouse/client'
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ChdbQueryStream, Session as ChdbSession } from 'chdb'
import { readConfig, type EngineLimits } from '../../config.ts'
import {
  exportStatementsMax,
  progressColumns,
  type QueryProgress,
  type Row,
  type Warehouse,
} from './clickhouse.ts'
import { connectionLane } from './connection-lane.ts'
import { StartupError } from '../../startup-error.ts'
import { boundStatement, embeddedStatement, parameterBindings, quoteString } from './statement.ts'

const laneSizes = { trial: 2, control: 1 }

/** Merged parts are flushed, too: chDB removes the parts that they replace at once, and a power failure would lose both. */
const durableParts =
  '<merge_tree><fsync_after_insert>1</fsync_after_insert><fsync_part_directory>1</fsync_part_directory><min_rows_to_fsync_after_merge>1</min_rows_to_fsync_after_merge></merge_tree>'

/** Server settings, sized for a single process on a small machine; every connection to a store goes through the proxy. */
const serverConfig = (proxyUrl: string, { engineMemory }: EngineLimits) => `<clickhouse>
  <proxy><http><uri>${proxyUrl}</uri></http><https><uri>${proxyUrl}</uri></https></proxy>
  <max_server_memory_usage>${engineMemory}</max_server_memory_usage>
  <mark_cache_size>33554432</mark_cache_size>
  <primary_index_cache_size>33554432</primary_index_cache_size>
  <index_mark_cache_size>8388608</index_mark_cache_size>
  <query_condition_cache_size>8388608</query_condition_cache_size>
  <parquet_metadata_cache_size>8388608</parquet_metadata_cache_size>
  <compiled_expression_cache_size>8388608</compiled_expression_cache_size>
  ${durableParts}
</clickhouse>
`

/** Defaults for every statement of a connection; a statement's own settings override them. */
const connectionSettings = ({ engineThreads }: EngineLimits) => [
  // A statement contains the values of its parameters.
  'max_query_size = 100000000',
  'max_memory_usage = 600000000',
  'max_bytes_before_external_group_by = 200000000',
  'max_bytes_before_external_sort = 200000000',
  `max_threads = ${engineThreads}`,
  'max_insert_threads = 1',
  "date_time_input_format = 'best_effort'",
  // Format and parse on one thread: parallel buffers cost 400 MB each and save no time on two cores.
  'output_format_parallel_formatting = 0',
  'input_format_parallel_parsing = 0',
]

/**
 * Opens chDB in the data directory. Only one process can open a folder, and a process only one folder. Statements reach
 * stores only through the proxy. Without one, statements reach no store.
 * @throws StartupError when the folder cannot be opened.
 */
export async function openEmbeddedWarehouse(
  dataDirectory: string,
  proxyUrl = 'http://127.0.0.1:1',
  limits: EngineLimits = readConfig({}),
): Promise<Warehouse> {
  const path = join(dataDirectory, 'clickhouse')
  const configFile = join(dataDirectory, 'clickhouse.xml')
  const receivedFolder = join(dataDirectory, 'received')
  await mkdir(path, { recursive: true, mode: 0o700 })
  // A process that was killed leaves its files behind.
  await rm(receivedFolder, { recursive: true, force: true })
  await mkdir(receivedFolder, { mode: 0o700 })
  await writeFile(configFile, serverConfig(proxyUrl, limits), { mode: 0o600 })
  const { Session } = await import('chdb')
  // The first connection starts the engine with this configuration; the lanes' connections share that engine.
  const anchor = openAnchor(
    () => new Session(path, { connectionArgs: [`--config-file=${configFile}`] }),
    path,
  )
  const open = async () => {
    const session = new Session(path)
    await session.queryAsync(
      connectionSettings(limits)
        .map((setting) => `SET ${setting}`)
        .join('; '),
    )
    return session
  }
  const lane = (size: number) => connectionLane(size, open, (session: ChdbSession) => session.close())
  const lanes = {
    read: lane(limits.engineConnections),
    write: lane(limits.engineConnections),
    export: lane(exportStatementsMax(limits.workers)),
    trial: lane(laneSizes.trial),
    control: lane(laneSizes.control),
  }

  const select = async <T extends Row>(name: keyof typeof lanes, sql: string) => {
    const result = await lanes[name].run((session) =>
      withClickhouseError(session.queryAsync(sql, { format: 'JSONEachRow' })),
    )
    return result
      .text()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as T)
  }

  let writes = 0
  const counted = async (write: () => Promise<unknown>) => {
    writes += 1
    await write().finally(() => (writes += 1))
  }

  /** Returns hundreds of megabytes that a long statement has freed, which the allocator would keep. */
  const purge = () => select('control', 'SYSTEM JEMALLOC PURGE')

  const kill = async (mark: string) => {
    await select('control', `KILL QUERY WHERE Settings['log_comment'] = ${quoteString(mark)} ASYNC`)
  }

  return {
    embedded: true,
    writes: () => writes,
    async query(sql, options = {}) {
      return await select(options.lane ?? 'read', embeddedStatement(sql, options))
    },
    async stream(sql, { format, signal, ...options }, read) {
      const bindings = parameterBindings(sql, options.params)
      const text = boundStatement(sql, options)
      await lanes[options.lane ?? 'read'].run(async (session) => {
        // A streamed text may contain only one statement.
        if (bindings !== '') await withClickhouseError(session.queryAsync(bindings))
        const chunks = session.queryStream(text, { format, signal })
        const stop = async () => {
          if (options.mark !== undefined) await kill(options.mark)
        }
        const bytes = bytesOf(chunks, { purge, stop })
        try {
          await read(bytes)
        } finally {
          // The session runs no other stream until this one, even if nobody has read it, is closed.
          await bytes.return(undefined)
          chunks.cancel()
        }
      })
      await purge()
    },
    async received(structure, chunks, read) {
      const place = join(receivedFolder, randomUUID())
      try {
        await chunks((rows) => pipeline(rows, createWriteStream(place, { mode: 0o600 })))
        return await read(`file(${quoteString(place)}, 'TabSeparated', ${quoteString(structure)})`)
      } finally {
        await rm(place, { force: true })
      }
    },
    async command(sql, options = {}) {
      const text = embeddedStatement(sql, options)
      const lane = options.lane ?? 'write'
      await counted(() => lanes[lane].run((session) => withClickhouseError(session.queryAsync(text))))
      if (lane === 'export') await purge()
    },
    async insert(table, body) {
      if (body.trim() === '') return
      const values = Buffer.from(body)
      await counted(() =>
        lanes.write.run((session) =>
          withClickhouseError(session.insert({ table, values, format: 'JSONEachRow' })),
        ),
      )
    },
    async progress(mark) {
      const rows = await select<QueryProgress>(
        'control',
        `SELECT ${progressColumns} FROM system.processes WHERE Settings['log_comment'] = ${quoteString(mark)} AND NOT is_cancelled`,
      )
      return rows[0] ?? null
    },
    kill,
    async close() {
      await Promise.all(Object.values(lanes).map((lane) => lane.close()))
      anchor.close()
    },
  }
}

function openAnchor(open: () => ChdbSession, path: string): ChdbSession {
  try {
    return open()
  } catch (cause) {
    throw new StartupError(
      `The embedded ClickHouse cannot open ${path}: another process has it open, or the folder is not readable and writable.`,
      { cause },
    )
  }
}

/** Bytes after which a stream returns the memory that the allocator would keep. */
const purgeBytes = 32_000_000

/** @param options `stop` requests that the statement stop, whose rest nobody reads */
async function* bytesOf(
  chunks: ChdbQueryStream,
  { purge, stop }: { purge: () => Promise<unknown>; stop: () => Promise<unknown> },
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  let isRead = false
  const iterator = chunks[Symbol.asyncIterator]()
  const fetchNext = () => {
    const upcoming = iterator.next()
    // Awaited later, where the error is thrown; until then, Node would report an unhandled rejection.
    upcoming.catch(() => undefined)
    return upcoming
  }
  try {
    let upcoming = fetchNext()
    for (let next = await upcoming; !next.done; next = await upcoming) {
      // The engine makes the next chunk while this one is used.
      upcoming = fetchNext()
      const chunk = next.value.raw()
      if (Math.floor(bytes / purgeBytes) < Math.floor((bytes + chunk.length) / purgeBytes)) await purge()
      bytes += chunk.length
      yield chunk
    }
    isRead = true
  } catch (error) {
    throw clickhouseErrorOf(error)
  } finally {
    // The iterator ends only after the chunk that the engine is making.
    if (!isRead) await stop().catch(() => undefined)
    await iterator.return?.()
  }
}

function clickhouseErrorOf(error: unknown) {
  const parsed = parseError(error instanceof Error ? error.message : String(error))
  parsed.cause = error
  return parsed
}

/** Converts chDB's errors to the ClickHouseError, with code and type, that a ClickHouse server's client throws. */
async function withClickhouseError<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    throw clickhouseErrorOf(error)
  }
}
