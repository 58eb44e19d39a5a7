import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import S3rver from 's3rver'

export type ObjectStore = {
  endpoint: string
  /** Returns all objects of a bucket, by key. */
  objects(bucket: string): Promise<Map<string, Buffer>>
  stop(): Promise<void>
}

/** Starts an S3 server on a free port with these buckets; access key and secret are both `S3RVER`. */
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

/** Starts a proxy of an object store that delays the copy of each written file to its name until `open` is called. */
export async function startGate(store: ObjectStore): Promise<Gate> {
  const opened = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    const isCopy = request.headers['x-amz-copy-source'] !== undefined
    void (isCopy ? opened.promise : Promise.resolve()).then(() => passOn(store.endpoint, request, response))
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

/** Forwards a request, unless the client aborted it while it waited. */
function passOn(endpoint: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url = '/' } = request
  if (response.destroyed) return
  // A keep-alive connection would prevent the store from stopping.
  const once = { method, headers: { ...headers, connection: 'close' }, agent: false }
  const onward = sendRequest(endpoint + url, once, (incoming) => {
    if (response.destroyed) return void incoming.destroy()
    response.writeHead(incoming.statusCode ?? 502, incoming.headers)
    pipeline(incoming, response, ignore)
  })
  pipeline(request, onward, (error) => {
    if (error) response.destroy()
  })
}

function ignore(): void {}
