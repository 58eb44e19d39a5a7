import { Session } from 'chdb'
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { listenOnLoopback } from '../../engines/loopback.ts'
import { quoteString } from '../../engines/clickhouse/statement.ts'

/** Passwords by user; a user whose name ends with "reader" may only read. */
type Users = Readonly<Record<string, string>>

/**
 * Starts a server with the part of ClickHouse's HTTP interface that clients use, backed by the embedded engine.
 * @param users those who may sign in; without them, anyone may
 */
export async function startTestClickhouseServer(folder: string, users?: Users) {
  const anchor = new Session(folder)
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://server')
    // With progress headers, a server sends the status before a failure can occur.
    const reportsProgress = searchParams.get('send_progress_in_http_headers') === '1'
    if (reportsProgress) response.writeHead(200).flushHeaders()
    const user = headerOf(request, 'x-clickhouse-user')
    void signIn(users, user, headerOf(request, 'x-clickhouse-key'))
      .then(() => execute(request, searchParams, folder, user.endsWith('reader')))
      .then(
        (bytes) => response.end(bytes),
        (error: unknown) => {
          if (!reportsProgress) response.writeHead(500)
          response.end(error instanceof Error ? error.message : String(error))
        },
      )
  })
  const port = await listenOnLoopback(server)
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      anchor.close()
    },
  }
}

/** The bytes of a header are UTF-8, which Node reads as Latin-1. */
function headerOf(request: IncomingMessage, name: string): string {
  return Buffer.from(String(request.headers[name] ?? ''), 'latin1').toString()
}

async function signIn(users: Users | undefined, user: string, password: string): Promise<void> {
  if (users && (!Object.hasOwn(users, user) || users[user] !== password))
    throw new Error(
      `Code: 516. DB::Exception: ${user}: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED) (version 26.7.2.1)`,
    )
}

/** Executes a statement. The URL contains parameters, settings and possibly the statement's start; the body the rest. */
async function execute(
  request: IncomingMessage,
  searchParams: URLSearchParams,
  folder: string,
  isReader: boolean,
): Promise<Uint8Array> {
  const query = searchParams.get('query') ?? ''
  const [, insert, format] = /^(INSERT .*)\s(FORMAT \w+)\s*$/s.exec(query) ?? []
  const file = join(tmpdir(), `spool-rows-${randomUUID()}`)
  // Rows can be longer than a text.
  if (insert) await pipeline(request, createWriteStream(file))
  const rest = insert
    ? `${insert} FROM INFILE ${quoteString(file)} ${format}`
    : [query, String(await buffer(request))].filter(Boolean).join('\n')
  const settings = [...searchParams]
    .filter(
      ([name]) =>
        !/^(query|query_id|default_format|session_id|database|wait_end_of_query|.*http.*)$/.test(name),
    )
    .map(([name, value]) => `SET ${name} = ${quoteString(value)};\n`)
  const session = new Session(folder)
  try {
    const all = [...settings, isReader ? 'SET readonly = 1;\n' : '', rest].join('')
    return (await session.queryAsync(all, { format: 'JSONEachRow' })).bytes()
  } finally {
    session.close()
    await rm(file, { force: true })
  }
}
