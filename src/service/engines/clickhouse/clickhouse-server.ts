import {
  ClickHouseLogLevel,
  createClient,
  parseError,
  type ClickHouseClient,
  type ClickHouseSettings,
} from '@clickhouse/client'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { defaultWorkers } from '../../config.ts'
import {
  exportStatementsMax,
  progressColumns,
  type StatementOptions,
  type QueryProgress,
  type Warehouse,
} from './clickhouse.ts'
import { startupErrorFrom } from '../../startup-error.ts'
import { markedSettings } from './statement.ts'

const minute = 60_000
/** Time (ms) after which a request to end a statement is given up. */
const killLimitMs = 10_000

/** Connects to a ClickHouse server. @throws StartupError when it does not respond within `limitMs`. */
export async function openRemoteWarehouse(
  url: string,
  workers = defaultWorkers(),
  limitMs = 5000,
): Promise<Warehouse> {
  const short = connect(url, minute)
  // An export responds only when its file is written; progress headers keep proxies from closing the connection.
  const long = connect(
    url,
    24 * 60 * minute,
    { send_progress_in_http_headers: 1, http_headers_progress_interval_ms: '20000' },
    exportStatementsMax(workers),
  )
  await assertReachable(url, limitMs)
  // What is left takes room only; the next start tries again.
  await dropReceived(short).catch(() => undefined)
  const client = (options: StatementOptions) => (options.lane === 'export' ? long : short)

  return {
    embedded: false,
    writes: () => null,
    async query(sql, options = {}) {
      const result = await client(options).query({ ...request(sql, options), format: 'JSONEachRow' })
      return await result.json()
    },
    async stream(sql, { format, signal, ...options }, read) {
      const query = { ...request(sql, options), abort_signal: signal }
      const { stream } = await client(options).exec({ ...query, query: `${query.query}\nFORMAT ${format}` })
      await read(stream).finally(() => stream.destroy())
    },
    async received(structure, chunks, read) {
      const table = `spool_received_${Date.now()}_${randomUUID().replaceAll('-', '')}`
      await short.command({
        query: `CREATE TABLE ${table} (${structure}) ENGINE = MergeTree ORDER BY tuple()`,
      })
      try {
        await chunks(async (rows) => {
          await long.insert({
            table,
            values: Readable.from(rows, { objectMode: false }),
            format: 'TabSeparated',
          })
        })
        return await read(table)
      } finally {
        await short.command({ query: `DROP TABLE IF EXISTS ${table}` })
      }
    },
    async command(sql, options = {}) {
      const { stream } = await client(options).exec(request(sql, options))
      // The status is sent with the first progress header, so only the body can report a later failure.
      const body = await text(stream)
      if (body.includes('DB::Exception')) throw parseError(body)
    },
    async insert(table, body) {
      if (body.trim() === '') return
      await short.command({
        query: `INSERT INTO ${table} FORMAT JSONEachRow\n${body}`,
      })
    },
    async progress(mark) {
      const result = await short.query({
        query: `SELECT ${progressColumns} FROM system.processes WHERE Settings['log_comment'] = {mark: String} AND NOT is_cancelled`,
        query_params: { mark },
        format: 'JSONEachRow',
      })
      const rows = await result.json<QueryProgress>()
      return rows[0] ?? null
    },
    async kill(mark) {
      await short.command({
        query: "KILL QUERY WHERE Settings['log_comment'] = {mark: String} ASYNC",
        query_params: { mark },
        abort_signal: AbortSignal.timeout(killLimitMs),
      })
    },
    async close() {
      await Promise.all([short.close(), long.close()])
    },
  }
}

/** Drops tables that killed processes have left; those in use are younger than a day. One that cannot be dropped does no harm. */
async function dropReceived(client: ClickHouseClient): Promise<void> {
  const result = await client.query({
    query: `SELECT name FROM system.tables WHERE database = currentDatabase()
      AND toInt64OrNull(extract(name, '^spool_received_([0-9]+)_')) < {created: Int64}`,
    query_params: { created: Date.now() - 24 * 60 * minute },
    format: 'JSONEachRow',
  })
  for (const { name } of await result.json<{ name: string }>())
    await client.command({ query: `DROP TABLE IF EXISTS ${name}` }).catch(() => undefined)
}

function connect(
  url: string,
  requestTimeout: number,
  settings: ClickHouseSettings = {},
  connectionsMax = 16,
): ClickHouseClient {
  return createClient({
    url,
    // The client's errors reach the caller, which decides whether to log them.
    log: { level: ClickHouseLogLevel.OFF },
    request_timeout: requestTimeout,
    max_open_connections: connectionsMax,
    max_response_headers_size: 1_048_576,
    keep_alive: { enabled: true, idle_socket_ttl: 2500 },
    clickhouse_settings: {
      date_time_input_format: 'best_effort',
      output_format_json_quote_64bit_integers: 0,
      ...settings,
    },
  })
}

function request(sql: string, { params, settings, mark }: StatementOptions) {
  return {
    query: sql,
    ...(params && { query_params: params }),
    clickhouse_settings: markedSettings(settings ?? {}, mark),
  }
}

async function assertReachable(url: string, limitMs: number): Promise<void> {
  const client = connect(url, limitMs)
  const result = await client.ping({ select: true })
  await client.close()
  if (result.success) return
  throw startupErrorFrom(result.error, `ClickHouse at ${new URL(url).host} (CLICKHOUSE_URL) cannot be used`)
}
