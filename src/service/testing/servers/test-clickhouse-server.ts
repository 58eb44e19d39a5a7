import { Session } from 'chdb'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { quoteString } from '../../engines/clickhouse/statement.ts'

export type TestClickhouseServer = { url: string; stop(): Promise<void> }

/** Starts a server with the part of ClickHouse's HTTP interface that the client uses, backed by the embedded engine. */
export async function startTestClickhouseServer(folder: string): Promise<TestClickhouseServer> {
  const anchor = new Session(folder)
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://server')
    // With progress headers, a server sends the status before a failure can occur.
    const reportsProgress = searchParams.get('send_progress_in_http_headers') === '1'
    if (reportsProgress) response.writeHead(200).flushHeaders()
    void execute(request, searchParams, folder).then(
      (bytes) => response.end(bytes),
      (error: unknown) => {
        if (!reportsProgress) response.writeHead(500)
        response.end(error instanceof Error ? error.message : String(error))
      },
    )
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      anchor.close()
    },
  }
}

/** Executes a statement. The URL contains parameters, settings and possibly the statement's start; the body contains the rest. */
async function execute(
  request: IncomingMessage,
  searchParams: URLSearchParams,
  folder: string,
): Promise<Uint8Array> {
  const body = String(await buffer(request))
  const settings = [...searchParams]
    .filter(
      ([name]) =>
        !/^(query|query_id|default_format|session_id|database|wait_end_of_query|.*http.*)$/.test(name),
    )
    .map(([name, value]) => `SET ${name} = ${quoteString(value)};\n`)
  const statement = [searchParams.get('query') ?? '', body].filter(Boolean).join('\n')
  const session = new Session(folder)
  try {
    return (await session.queryAsync(settings.join('') + statement, { format: 'JSONEachRow' })).bytes()
  } finally {
    session.close()
  }
}
