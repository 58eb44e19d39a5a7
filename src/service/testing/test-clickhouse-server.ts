import { Session } from 'chdb'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { quoteString } from '../engines/statement.ts'

export type TestClickhouseServer = { url: string; stop(): Promise<void> }

/** The HTTP interface of a ClickHouse server, as far as the client uses it, in front of the embedded engine. */
export async function startTestClickhouseServer(folder: string): Promise<TestClickhouseServer> {
  const anchor = new Session(folder)
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://server')
    // A server that tells its progress has sent the status before it can know of a failure.
    const tellsProgress = searchParams.get('send_progress_in_http_headers') === '1'
    if (tellsProgress) response.writeHead(200).flushHeaders()
    void answer(request, searchParams, folder).then(
      (bytes) => response.end(bytes),
      (error: unknown) => {
        if (!tellsProgress) response.writeHead(500)
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

/** Query parameters, settings and perhaps the statement come in the URL, what is left of the statement in the body. */
async function answer(
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
