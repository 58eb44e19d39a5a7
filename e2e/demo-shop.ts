import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { shopFile } from '../src/service/server/dashboard-files.ts'

const folder = resolve(import.meta.dirname, '../public/demo')
const types: Record<string, string> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  svg: 'image/svg+xml',
}
/** Identifies requests that posthog-js sends as beacons; it uses this encoding for no other requests. */
const beaconMark = 'compression=base64'
const capturePath = /^\/(?:e|s|i\/v0\/e|batch)\/?(?:\?|$)/

export type DemoShop = {
  port: number
  /** Returns the bodies that posthog-js has sent since the last call. */
  takeBodies(): Buffer[]
  /** Returns the number of beacons stored since the last `takeBodies`. */
  storedBeacons(): number
  stop(): void
}

/** Serves the demo shop on its own server, like any shop; requests of posthog-js are forwarded to the service. */
export async function serveDemoShop(apiHost: string, token: string): Promise<DemoShop> {
  // Uncompressed data is readable, compresses better as a whole, and does not delay leaving a page.
  const options = {
    disable_compression: true,
    session_recording: {
      compress_events: false,
      maskAllInputs: false,
      maskInputOptions: { password: true },
    },
  }
  const project = `window.spoolProject = ${JSON.stringify({ token, options })}`
  let bodies: Buffer[] = []
  let beacons = 0
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://shop').pathname
    if (path === '/project.js') respond(response, 'text/javascript', project)
    else if (/^\/(?:static|array|flags|e|s|i|batch)\//.test(path)) void forward(request, response)
    else void sendFile(path, response)
  })

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const body = Buffer.concat(await Array.fromAsync(request))
    if (capturePath.test(path)) bodies.push(body)
    const forwarded = await fetch(apiHost + path, {
      method: request.method ?? 'GET',
      headers: { 'content-type': request.headers['content-type'] ?? 'text/plain' },
      ...(body.length > 0 && { body }),
    })
    if (capturePath.test(path) && !forwarded.ok) throw new Error(await forwarded.text())
    if (path.includes(beaconMark)) beacons += 1
    response.statusCode = forwarded.status
    const type = forwarded.headers.get('content-type') ?? 'text/plain'
    respond(response, type, Buffer.from(await forwarded.arrayBuffer()))
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as AddressInfo).port,
    takeBodies() {
      const taken = bodies
      bodies = []
      beacons = 0
      return taken
    },
    storedBeacons: () => beacons,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function sendFile(path: string, response: ServerResponse): Promise<void> {
  const name = (shopFile(`demo${path}`) ?? '').slice('demo/'.length)
  const type = types[name.split('.')[1] ?? '']
  const content = await readFile(join(folder, name)).catch(() => null)
  if (type && content) return respond(response, `${type}; charset=utf-8`, content)
  response.statusCode = 404
  respond(response, 'text/plain', 'Page not found.')
}

function respond(response: ServerResponse, type: string, body: string | Buffer): void {
  response.setHeader('content-type', type)
  response.end(body)
}
