import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

const library = createRequire(import.meta.url).resolve('posthog-js/dist/array.full.js')

type Properties = Record<string, unknown>
export type SentEvent = {
  uuid: string
  event: string
  properties: Properties
  $set?: Properties
  $set_once?: Properties
}

export type ShopPage = {
  url: string
  /** Events that the page's posthog-js sent and the service acknowledged. */
  sent: SentEvent[]
  stop(): void
}

/** Serves a small page with the real posthog-js, which sends through the shop's own server, as on many sites. */
export async function serveShopPage(apiHost: string, token: string): Promise<ShopPage> {
  const script = await readFile(library)
  const sent: SentEvent[] = []
  const server = createServer((request, response) => {
    if (request.url === '/') respond(response, 'text/html; charset=utf-8', page(token))
    else if (request.url === '/posthog.js') respond(response, 'text/javascript', script)
    else void forward(apiHost, sent, request, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/`, sent, stop }
}

function page(token: string): string {
  return `<!doctype html><title>Shop</title><h1>Lamps</h1>
    <button>Buy the brass lamp</button>
    <script>window.posthog = []; posthog._i = []; posthog.__SV = 1
      posthog.init = (token, options, name) => posthog._i.push([token, options, name])
      posthog.init('${token}', { api_host: location.origin, opt_out_useragent_filter: true, disable_session_recording: true })</script>
    <script src="/posthog.js"></script>`
}

function respond(response: ServerResponse, type: string, body: string | Buffer): void {
  response.setHeader('content-type', type)
  response.end(body)
}

async function forward(
  apiHost: string,
  sent: SentEvent[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(request))
  const path = request.url ?? '/'
  const forwarded = await fetch(apiHost + path, {
    method: request.method ?? 'GET',
    headers: { 'content-type': request.headers['content-type'] ?? 'text/plain' },
    ...(body.length > 0 && { body }),
  })
  if (forwarded.ok && /^\/(e|i\/v0\/e|batch)\/?(\?|$)/.test(path)) sent.push(...eventsIn(body))
  response.statusCode = forwarded.status
  respond(
    response,
    forwarded.headers.get('content-type') ?? 'text/plain',
    Buffer.from(await forwarded.arrayBuffer()),
  )
}

function eventsIn(body: Buffer): SentEvent[] {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b
  const text = (isGzip ? gunzipSync(body) : body).toString('utf8')
  const data = text.startsWith('data=') ? new URLSearchParams(text).get('data') : null
  const parsed: SentEvent | SentEvent[] | { batch: SentEvent[] } = JSON.parse(
    data === null ? text : Buffer.from(data, 'base64').toString('utf8'),
  )
  return Array.isArray(parsed) ? parsed : 'batch' in parsed ? parsed.batch : [parsed]
}
