import { createClient, type ClickHouseClient } from '@clickhouse/client'
import { Readable } from 'node:stream'
import type { StatementOptions, Progress, Warehouse } from './clickhouse.ts'
import { startupErrorFrom } from './startup-error.ts'
import { markedSettings, settingsMarker } from './statement.ts'

const minute = 60_000

/** Connects to a ClickHouse server. @throws StartupError when it does not answer. */
export async function openRemoteWarehouse(url: string): Promise<Warehouse> {
  const short = connect(url, minute)
  // An export answers when its file is written, so only the server ends it; the headers keep the connection alive.
  const long = connect(url, 24 * 60 * minute)
  await assertReachable(short, url)
  const client = (options: StatementOptions) => (options.lane === 'export' ? long : short)

  return {
    embedded: false,
    async query(sql, options = {}) {
      const result = await client(options).query({ ...request(sql, options), format: 'JSONEachRow' })
      return await result.json()
    },
    async command(sql, options = {}) {
      await client(options).command(request(sql, options))
    },
    async insert(table, columns, body) {
      const [first, ...others] = columns
      if (body.trim() === '') return
      await short.insert({
        table,
        ...(first === undefined ? {} : { columns: [first, ...others] as [string, ...string[]] }),
        values: Readable.from([body], { objectMode: false }),
        format: 'JSONEachRow',
      })
    },
    async progress(mark) {
      const result = await short.query({
        query: `SELECT toUInt64(read_rows) readRows, toUInt64(total_rows_approx) totalRows, toUInt64(written_rows) writtenRows
                FROM system.processes WHERE Settings['log_comment'] = {mark: String} AND NOT is_cancelled`,
        query_params: { mark },
        format: 'JSONEachRow',
      })
      const rows = await result.json<Progress>()
      return rows[0] ?? null
    },
    async kill(mark) {
      await short.command({
        query: "KILL QUERY WHERE Settings['log_comment'] = {mark: String} ASYNC",
        query_params: { mark },
      })
    },
    async ping() {
      const result = await short.ping({ select: true })
      if (!result.success) throw result.error
    },
    async close() {
      await Promise.all([short.close(), long.close()])
    },
  }
}

function connect(url: string, requestTimeout: number): ClickHouseClient {
  return createClient({
    url,
    request_timeout: requestTimeout,
    max_open_connections: 16,
    max_response_headers_size: 1_048_576,
    keep_alive: { enabled: true, idle_socket_ttl: 2500 },
    clickhouse_settings: {
      date_time_input_format: 'best_effort',
      output_format_json_quote_64bit_integers: 0,
      send_progress_in_http_headers: 1,
      http_headers_progress_interval_ms: '20000',
    },
  })
}

function request(sql: string, { params, settings, mark }: StatementOptions) {
  return {
    query: sql.replace(settingsMarker, ''),
    ...(params && { query_params: params }),
    clickhouse_settings: markedSettings(settings ?? {}, mark),
  }
}

async function assertReachable(client: ClickHouseClient, url: string): Promise<void> {
  const result = await client.ping({ select: true })
  if (result.success) return
  await client.close()
  throw startupErrorFrom(result.error, `ClickHouse at ${new URL(url).host} (CLICKHOUSE_URL) cannot be used`)
}
