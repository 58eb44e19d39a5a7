import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../public/demo')
const types: Record<string, string> = { html: 'text/html', css: 'text/css', js: 'text/javascript' }
/** posthog-js encodes in this way what it sends as a beacon, and nothing else. */
const beaconMark = 'compression=base64'
const capturePath = /^\/(?:e|s|i\/v0\/e|batch)\/?(?:\?|$)/

export type DemoShop = {
  port: number
  /** The bodies that posthog-js has sent since they were taken last. */
  takeBodies(): Buffer[]
  /** How many of them came as beacons and have been stored. */
  storedBeacons(): number
  stop(): void
}

/** The demo shop on a server of its own, as if it were any shop: it passes on to the service what posthog-js asks and sends. */
export async function serveDemoShop(apiHost: string, token: string): Promise<DemoShop> {
  // So that what is stored can be read, and be compressed together; and a page that is left is not still compressing.
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
    if (path === '/project.js') answer(response, 'text/javascript', project)
    else if (/^\/(?:static|array|flags|e|s|i|batch)\//.test(path)) void passOn(request, response)
    else void sendFile(path, response)
  })

  async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const body = Buffer.concat(await Array.fromAsync(request))
    if (capturePath.test(path)) bodies.push(body)
    const answered = await fetch(apiHost + path, {
      method: request.method ?? 'GET',
      headers: { 'content-type': request.headers['content-type'] ?? 'text/plain' },
      ...(body.length > 0 && { body }),
    })
    if (capturePath.test(path) && !answered.ok) throw new Error(await answered.text())
    if (path.includes(beaconMark)) beacons += 1
    response.statusCode = answered.status
    const type = answered.headers.get('content-type') ?? 'text/plain'
    answer(response, type, Buffer.from(await answered.arrayBuffer()))
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
  const name = path === '/' ? 'index.html' : path.slice(1)
  const type = types[name.split('.')[1] ?? '']
  if (type) return answer(response, `${type}; charset=utf-8`, await readFile(join(folder, name)))
  response.statusCode = 404
  answer(response, 'text/plain', 'There is no such page.')
}

function answer(response: ServerResponse, type: string, body: string | Buffer): void {
  response.setHeader('content-type', type)
  response.end(body)
}
