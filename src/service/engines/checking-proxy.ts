import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { hostOf, lookupOf, RefusedHost, type Hosts } from './hosts.ts'
import { listenOnLoopback } from './loopback.ts'

export type CheckingProxy = Awaited<ReturnType<typeof startCheckingProxy>>

const connectTimeoutMs = 5000

/**
 * Starts an HTTP proxy on loopback for the embedded ClickHouse, which would otherwise resolve names itself and connect
 * to unchecked addresses. Requests pass unchanged, so that their signatures and TLS stay valid.
 */
export async function startCheckingProxy(hosts: Hosts) {
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    forward(hosts, request, response).catch((error: unknown) => sendFailure(response, error))
  })
  server.on('connect', (request, socket: Socket, head) => {
    tunnel(hosts, request.url ?? '', socket, head).catch((error: unknown) =>
      // ClickHouse reports only the reason phrase of this response.
      socket.end(`HTTP/1.1 ${statusOf(error)} ${reasonOf(error)}\r\n\r\n`),
    )
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  })
  // An upload takes as long as ClickHouse needs to produce the file.
  server.requestTimeout = 0
  server.maxRequestsPerSocket = 1
  const port = await listenOnLoopback(server)
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
      if (server.listening) await once(server, 'close')
    },
  }
}

/** Sends a request for an http URL to its host. */
async function forward(hosts: Hosts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, authority, path = ''] = /^http:\/\/([^/?#]+)(.*)$/i.exec(request.url ?? '') ?? []
  if (authority === undefined)
    return void response.writeHead(400).end('Only the embedded ClickHouse uses this proxy.\n')
  const { port } = new URL(`http://${authority}`)
  const host = hostOf(`http://${authority}`)
  const upstream = httpRequest({
    host,
    port: port || 80,
    lookup: lookupOf(await hosts.addressesOf(host)),
    method: request.method ?? 'GET',
    path: path || '/',
    headers: endToEnd(request.rawHeaders),
    agent: false,
  })
  upstream.on('socket', limitConnecting)
  upstream.on('response', (answer) => {
    try {
      response.writeHead(answer.statusCode ?? 502, endToEnd(answer.rawHeaders))
      pipeline(answer, response, ignore)
    } catch (error) {
      // Node accepts responses that it refuses to send, such as those with the status 001.
      upstream.destroy()
      sendFailure(response, error)
    }
  })
  upstream.on('error', (error) => sendFailure(response, error))
  response.on('close', () => upstream.destroy())
  pipeline(request, upstream, ignore)
}

/** Connects an https request to its host; `authority` is like `s3.example.com:443`. */
async function tunnel(hosts: Hosts, authority: string, socket: Socket, head: Buffer): Promise<void> {
  const { port } = new URL(`http://${authority}`)
  const host = hostOf(`http://${authority}`)
  const target = connect({ host, port: Number(port || 80), lookup: lookupOf(await hosts.addressesOf(host)) })
  limitConnecting(target)
  await once(target, 'connect')
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
  target.write(head)
  pipeline(socket, target, socket, ignore)
}

function limitConnecting(socket: Socket): void {
  socket.setTimeout(connectTimeoutMs, () => socket.destroy(new Error('connect ETIMEDOUT')))
  socket.once('connect', () => socket.setTimeout(0))
}

/** Removes the headers (name, value, name, …) that concern a single connection. */
function endToEnd(headers: readonly string[]): string[] {
  return headers.filter((_, index) => !singleConnection.test(headers[index - (index % 2)] ?? ''))
}

const singleConnection = /^(connection|keep-alive|proxy-.*|expect|trailer|upgrade)$/i

/** Reports a failure as an S3 store would, so that ClickHouse's error contains the reason. */
function sendFailure(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  const message = reasonOf(error).replace(/[<&]/g, '')
  response.writeHead(statusOf(error), { 'content-type': 'application/xml' })
  response.end(`<Error><Code>ConnectionFailed</Code><Message>${message}</Message></Error>`)
}

function statusOf(error: unknown): number {
  return error instanceof RefusedHost ? 400 : 502
}

function reasonOf(error: unknown): string {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error]
  return errors
    .map((each) => (each instanceof Error ? each.message : String(each)).replace(/\s+/g, ' '))
    .join(', ')
}

/** Callback of `pipeline`: the streams' own listeners handle errors. */
function ignore(): void {}
