import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import S3rver from 's3rver'

export type ObjectStore = {
  endpoint: string
  /** Every object of the bucket, by key. */
  objects(bucket: string): Promise<Map<string, Buffer>>
  stop(): Promise<void>
}

/** An S3 server on a free port with these buckets; it takes the key `S3RVER` and the secret `S3RVER`. */
export async function startObjectStore(...buckets: string[]): Promise<ObjectStore> {
  const directory = await mkdtemp(join(tmpdir(), 'spool-s3-'))
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: buckets.map((name) => ({ name, configs: [] })),
  })
  const { port } = await server.run()
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async objects(bucket) {
      const folder = join(directory, bucket)
      const names = await readdir(folder, { recursive: true })
      const suffix = '._S3rver_object'
      const found = names.filter((name) => name.endsWith(suffix))
      const entries = found.map(
        async (name) => [name.slice(0, -suffix.length), await readFile(join(folder, name))] as const,
      )
      return new Map(await Promise.all(entries))
    },
    async stop() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

export type Gate = { endpoint: string; open(): void; stop(): Promise<void> }

/** A way to an object store on which every request waits until the gate is opened. */
export async function startGate(store: ObjectStore): Promise<Gate> {
  const opened = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    void opened.promise.then(() => passOn(store.endpoint, request, response))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    open: opened.resolve,
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

/** A request that was given up while it waited is not begun. */
function passOn(endpoint: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url = '/' } = request
  if (response.destroyed) return
  // A connection that is kept would keep the store from stopping.
  const once = { method, headers: { ...headers, connection: 'close' }, agent: false }
  const onward = sendRequest(endpoint + url, once, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    pipeline(answer, response, ignore)
  })
  pipeline(request, onward, (error) => {
    if (error) response.destroy()
  })
}

function ignore(): void {}
