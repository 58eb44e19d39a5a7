import {
  request as requestPlain,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { request as requestSecure } from 'node:https'
import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClickhouseConnection } from '../../../contract/integrations/clickhouse.ts'
import { urlOfHost } from '../../../contract/integrations/server.ts'
import { isThisMachine } from '../../engines/allowed-address.ts'
import { parameterText } from '../../engines/clickhouse/statement.ts'
import { hostOf, lookupOf } from '../../engines/hosts.ts'
import { startOf, textOf } from '../../http/read-body.ts'
import type { Io } from '../destination-driver.ts'

/** A server, and how the service signs in. */
export type ClickhouseServer = Omit<ClickhouseConnection, 'name'>

/** A server's HTTP interface. Each statement has a connection of its own. */
export type ClickhouseHttp = {
  isSecure: boolean
  /** Returns the rows of a short SELECT. */
  query(sql: string, params?: Params): Promise<Record<string, unknown>[]>
  /** Runs a statement to its end. */
  command(sql: string, params?: Params): Promise<void>
  /** Runs an INSERT with tab-separated rows. */
  insert(sql: string, chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** Passes the tab-separated rows of a SELECT. */
  stream(
    sql: string,
    params: Params,
    read: (chunks: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<void>
}

type Params = Record<string, string>
/** A server, and how it is reached. */
type Endpoint = ClickhouseServer & { isSecure: boolean; lookup: LookupFunction }
/** What is sent with a statement, and how it ends. `isStream`: rows are read while the statement runs. */
type Sent = { params?: Params; body?: Readable; ending: AbortSignal; isStream?: boolean }

/** Time (ms) for the first answer, and for short statements. */
const [answerMs, queryMs] = [10_000, 60_000]
/** Longest answer (bytes) to a command, of which a refusal is cut off, and to a query. */
const [answerBytesMax, queryBytesMax] = [1024 ** 2, 16 * 1024 ** 2]

const settings = {
  // Times are in UTC, whatever the zone of a column.
  date_time_input_format: 'best_effort',
  date_time_output_format: 'iso',
  output_format_json_quote_64bit_integers: '1',
  input_format_null_as_default: '0',
  async_insert: '0',
  // In a cluster, each statement can reach another server.
  select_sequential_consistency: '1',
}

/** Returns the URL of a server, by which its host is pinned. */
export function clickhouseUrl({ host, port }: Pick<ClickhouseServer, 'host' | 'port'>): string {
  return urlOfHost(host, port)
}

/**
 * Reaches a server whose host is pinned, over TLS. Only a server on this machine may lack TLS: nothing lies between. Aborting the
 * signal ends all statements. Errors of the server have the code `REMOTE_` and the name of ClickHouse's error. @throws a socket's error
 */
export async function connectClickhouse(
  { hosts }: Pick<Io, 'hosts'>,
  server: ClickhouseServer,
  signal: AbortSignal,
): Promise<ClickhouseHttp> {
  // Node does not look up IP addresses, so one that is not pinned is refused here.
  const addresses = await hosts.addressesOf(hostOf(clickhouseUrl(server)))
  const open = async (isSecure: boolean, lookup: LookupFunction) => {
    const http = openHttp({ ...server, isSecure, lookup }, signal)
    // The first statement shows whether the server accepts the user.
    await http.query('SELECT 1', {}, answerMs).catch((error: unknown) => {
      if (!isRefusal(error)) throw error
    })
    return http
  }
  try {
    return await open(true, hosts.lookup)
  } catch (error) {
    if (!isWithoutTls(error) || !addresses.every((found) => isThisMachine(found.address))) throw error
    // Meanwhile the host may be pinned again, with other addresses.
    return await open(false, lookupOf(addresses))
  }
}

/** Whether an error is a server's answer. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('REMOTE_')
}

/** Whether a server has answered without TLS, which OpenSSL reports as a wrong version. */
function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && /wrong version number|packet length too long/i.test(error.message)
}

function openHttp(server: Endpoint, signal: AbortSignal) {
  const send = (sql: string, sent: Omit<Sent, 'ending'> = {}) =>
    sendStatement(server, sql, { ...sent, ending: signal })
  return {
    isSecure: server.isSecure,
    async query(sql: string, params: Params = {}, ms = queryMs) {
      const ending = AbortSignal.any([signal, AbortSignal.timeout(ms)])
      const response = await sendStatement(server, `${sql} FORMAT JSONEachRow`, { params, ending })
      const lines = (await textOf(response, queryBytesMax)).split('\n').filter(Boolean)
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    },
    async command(sql: string, params: Params = {}) {
      await textOf(await send(sql, { params }), answerBytesMax)
    },
    async insert(sql: string, chunks: AsyncIterable<Uint8Array>) {
      const iterator = chunks[Symbol.asyncIterator]()
      const first = await iterator.next()
      // A server refuses an INSERT without rows.
      if (first.done) return
      const body = Readable.from(following(first.value, iterator), { objectMode: false })
      try {
        await textOf(await send(`${sql} FORMAT TabSeparated`, { body }), answerBytesMax)
      } finally {
        body.destroy()
      }
    },
    async stream(sql: string, params: Params, read: (chunks: AsyncIterable<Uint8Array>) => Promise<void>) {
      const response = await send(`${sql} FORMAT TabSeparated`, { params, isStream: true })
      await read(response).finally(() => response.destroy())
    },
  }
}

/** Sends a statement; resolves to the answer of a server that has accepted it. @throws the server's refusal, or the socket's error */
async function sendStatement(
  { host, port, user, password, verify, isSecure, lookup }: Endpoint,
  sql: string,
  { params = {}, body, ending, isStream = false }: Sent,
): Promise<IncomingMessage> {
  const search = new URLSearchParams(settings)
  for (const [name, value] of Object.entries(params)) search.set(`param_${name}`, parameterText(value))
  if (body) search.set('query', sql)
  // The status then reports errors at any time; rows that are read are not held back.
  if (!isStream) search.set('wait_end_of_query', '1')
  const options: RequestOptions = {
    method: 'POST',
    host,
    port,
    path: `/?${String(search)}`,
    lookup,
    agent: false,
    signal: ending,
    headers: {
      'x-clickhouse-user': encodeHeader(user),
      'x-clickhouse-key': encodeHeader(password),
      'content-type': 'text/plain; charset=utf-8',
    },
  }
  const request = isSecure ? requestSecure({ ...options, rejectUnauthorized: verify }) : requestPlain(options)
  const answer = answerTo(request)
  // An error, of the rows too, is also one of the request.
  if (body) pipeline(body, request).catch(() => undefined)
  // As bytes: Node would encode the headers in the encoding of a text.
  else request.end(Buffer.from(sql))
  const response = await answer
  if (response.statusCode === 200) return response
  const refusal = refusalOf(response.statusCode ?? 0, String(await startOf(response, answerBytesMax)))
  request.destroy()
  throw refusal
}

/** Resolves to the answer to a request, whatever its status. */
function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request
    .on('socket', (socket) => socket.setKeepAlive(true, 15_000).setNoDelay(true))
    .on('response', resolve)
    .on('error', reject)
    // After status 101, Node leaves the socket to this listener, and the signal no longer ends it.
    .on('upgrade', (_, socket) => {
      socket.destroy()
      reject(refusalOf(101, 'The server switched to another protocol.'))
    })
    .on('close', () => reject(new Error('ECONNRESET: the server closed the connection')))
  return promise
}

async function* following(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* { [Symbol.asyncIterator]: () => rest }
}

/** Headers are Latin-1: Node sends each byte of UTF-8 as one character. */
function encodeHeader(value: string): string {
  return Buffer.from(value).toString('latin1')
}

function refusalOf(status: number, body: string): Error {
  const [, name] = /\(([A-Z0-9_]+)\)(?: \(version|\s*$)/.exec(body) ?? []
  const code = name ?? (body.startsWith('Code: ') ? 'REFUSAL' : `HTTP_${status}`)
  return Object.assign(new Error(body.slice(0, 2000)), { code: `REMOTE_${code}` })
}
