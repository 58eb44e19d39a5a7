import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'

const library = createRequire(import.meta.url).resolve('posthog-js/dist/array.full.js')

/** A little page with the real posthog-js, on an origin of its own, connected to a project. */
export async function serveShopPage(apiHost: string, token: string): Promise<{ url: string; stop(): void }> {
  const options = JSON.stringify({
    api_host: apiHost,
    opt_out_useragent_filter: true,
    disable_session_recording: true,
    person_profiles: 'identified_only',
  })
  const html = `<!doctype html><title>Shop</title><h1>Lamps</h1>
    <button id="buy">Buy the brass lamp</button><a href="#shades">Shades</a>
    <script>window.posthog = []; posthog._i = []; posthog.__SV = 1
      posthog.init = (token, options, name) => posthog._i.push([token, options, name])
      posthog.init('${token}', ${options})</script>
    <script src="/posthog.js"></script>`
  const script = await readFile(library)
  const server = createServer((request, response) => {
    const isScript = request.url === '/posthog.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isScript ? script : html)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, stop: () => void server.close() }
}

export type SentEvent = { uuid: string; event: string; properties: Record<string, unknown> }

/** Every event that a page's posthog-js sends from now on and the service acknowledges, as it stood in the requests. */
export function collectSentEvents(page: Page): SentEvent[] {
  const sent: SentEvent[] = []
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url())
    const body = request.postDataBuffer()
    if (!/^\/(e|i\/v0\/e|batch)\/?$/.test(pathname) || !body) return
    const parsed: SentEvent | SentEvent[] | { batch: SentEvent[] } = JSON.parse(readBody(body))
    sent.push(...(Array.isArray(parsed) ? parsed : 'batch' in parsed ? parsed.batch : [parsed]))
  })
  return sent
}

function readBody(body: Buffer): string {
  if (body[0] === 0x1f && body[1] === 0x8b) return gunzipSync(body).toString('utf8')
  const text = body.toString('utf8')
  const data = text.startsWith('data=') ? new URLSearchParams(text).get('data') : null
  return data === null ? text : Buffer.from(data, 'base64').toString('utf8')
}
