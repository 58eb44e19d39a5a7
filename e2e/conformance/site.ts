import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PNG } from 'pngjs'
import type { Tenant } from '../journey.ts'
import type { RunningService } from '../service.ts'
import type { ConformancePage } from './conformance-page.ts'

export type Site = { url(page: ConformancePage): string; origin: string; ports: string[]; stop(): void }

export type Asset = { type: string; body: string | Buffer }

const installed = (path: string) => readFile(new URL(import.meta.resolve(path)))
const stock = new URL('rrweb-player.umd.min.cjs', import.meta.resolve('rrweb-player'))

/**
 * Serves the pages, which the service records, and their files (`others` by their paths) from the same origin and from one
 * without CORS headers.
 */
export async function serveSite(
  pages: readonly ConformancePage[],
  { origin: apiHost }: RunningService,
  { project_token: token }: Tenant,
  others: Record<string, Asset> = {},
): Promise<Site> {
  const assets: Record<string, Asset> = { ...others, ...(await loadAssets()) }
  const sendAsset: RequestListener = (request, response) => {
    const asset = assets[new URL(request.url ?? '/', 'http://site').pathname]
    response.writeHead(asset ? 200 : 404, { 'content-type': asset?.type ?? 'text/plain' })
    response.end(asset?.body ?? 'not found')
  }
  const other = createServer(sendAsset)
  const otherOrigin = await listen(other)
  const own = createServer((request, response) => {
    const page = pages[Number(/^\/pages\/(\d+)/.exec(request.url ?? '')?.[1] ?? -1)]
    if (!page) return sendAsset(request, response)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    return response.end(htmlOf(page, apiHost, token).replaceAll('{other}', otherOrigin))
  })
  const origin = await listen(own)
  return {
    origin,
    ports: [origin, otherOrigin].map((each) => new URL(each).port),
    url: (page) => `${origin}/pages/${pages.indexOf(page)}`,
    stop() {
      for (const server of [own, other]) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

/** Turns on the recording of canvases, as an analyst does in the settings. */
export async function recordCanvases(
  { origin }: RunningService,
  { project_id, api_key }: Tenant,
): Promise<void> {
  const response = await fetch(`${origin}/api/projects/${project_id}/recording_settings/`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ canvas: true }),
  })
  if (!response.ok) throw new Error(await response.text())
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function htmlOf(
  { head = '', body, recorder, isQuirks }: ConformancePage,
  apiHost: string,
  token: string,
): string {
  const options = {
    api_host: apiHost,
    opt_out_useragent_filter: true,
    // The stock player cannot unpack events.
    session_recording: { compress_events: false, ...recorder },
  }
  return `${isQuirks ? '' : '<!doctype html>'}<html lang="en"><head><meta charset="utf-8"><title>Page</title>
    <script>window.posthog = []; posthog._i = []; posthog.__SV = 1
      posthog.init = (token, options, name) => posthog._i.push([token, options, name])
      posthog.init(${JSON.stringify(token)}, ${JSON.stringify(options)})</script>
    <script src="${apiHost}/static/array.js"></script>${head}</head><body>${body}</body></html>`
}

async function loadAssets(): Promise<Record<string, Asset>> {
  return {
    '/lamp.png': { type: 'image/png', body: lampPicture() },
    '/tone.wav': { type: 'audio/wav', body: silence(4) },
    '/inter.woff2': {
      type: 'font/woff2',
      body: await installed('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
    },
    '/theme.css': {
      type: 'text/css',
      body: 'h1 { color: crimson; font-size: 60px } .card { border: 6px solid teal; padding: 30px; background: gold }',
    },
    '/contrast.css': {
      type: 'text/css',
      body: '@media (prefers-contrast: more) { button { border: 10px solid } } @media (prefers-contrast: less) { button { color: red } }',
    },
    '/sprite.svg': {
      type: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="lamp" viewBox="0 0 10 10"><path d="M1 1h8l-2 5H3zM4 6h2v4H4z"/></symbol></svg>',
    },
    '/stock': {
      type: 'text/html; charset=utf-8',
      body: '<!doctype html><link rel="stylesheet" href="/stock.css"><style>body { margin: 0 } .replayer-mouse, .replayer-mouse-tail { visibility: hidden }</style><script src="/stock.js"></script>',
    },
    '/stock.js': { type: 'text/javascript', body: await readFile(stock) },
    '/stock.css': { type: 'text/css', body: await installed('rrweb-player/dist/style.css') },
  }
}

/** Returns a picture with a gradient, 240 by 160 pixels. */
function lampPicture(): Buffer {
  const picture = new PNG({ width: 240, height: 160 })
  for (let y = 0; y < 160; y += 1)
    for (let x = 0; x < 240; x += 1) picture.data.set([x, y, 128, 255], (y * 240 + x) * 4)
  return PNG.sync.write(picture)
}

/** Returns a WAV file without sound. */
function silence(seconds: number): Buffer {
  const rate = 8000
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + rate * seconds, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(rate * seconds, 40)
  return Buffer.concat([header, Buffer.alloc(rate * seconds, 128)])
}
