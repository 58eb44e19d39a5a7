import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { request as forward, type IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import S3rver from 's3rver'
import { startHttpServer } from './servers/test-http-server.ts'

/** Starts an S3 server with these buckets, which are in a folder in this one. */
export async function startTestStore(buckets: readonly string[] = ['exports'], parent = tmpdir()) {
  const directory = await mkdtemp(join(parent, 'spool-s3-'))
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    vhostBuckets: false,
    directory,
    configureBuckets: buckets.map((name) => ({ name, configs: [] })),
  })
  reportWriteErrors((server as unknown as { store: Files }).store)
  const { port } = await server.run()
  return { endpoint: `http://127.0.0.1:${port}`, stop: () => server.close() }
}

type Files = {
  getResourcePath(bucket: string, key: string, resource: 'object'): string
  putMetadata(bucket: string, key: string, metadata: unknown, md5: string): Promise<void>
  putObject(object: {
    bucket: string
    key: string
    content: Readable
    metadata: unknown
  }): Promise<{ size: number; md5: string }>
}

/** Lets the server respond with an error if it cannot write an object: s3rver would end the process. */
function reportWriteErrors(files: Files): void {
  files.putObject = async ({ bucket, key, content, metadata }) => {
    const path = files.getResourcePath(bucket, key, 'object')
    await mkdir(dirname(path), { recursive: true })
    const hash = createHash('md5')
    const written = createWriteStream(path)
    content.on('data', (chunk: Buffer) => hash.update(chunk)).pipe(written)
    // A client reads the response to a request that has been read to its end.
    written.on('error', () => content.resume())
    await finished(content)
    await finished(written)
    const md5 = hash.digest('hex')
    await files.putMetadata(bucket, key, metadata, md5)
    return { size: written.bytesWritten, md5 }
  }
}

/** How a faulty store handles a request: it forwards this body, or responds with this XML. */
export type StoreFault = { forward: Buffer } | { respond: string }

/** Starts a server in front of an S3 server that changes what the requests to it do. */
export async function startFaultyStore(
  endpoint: string,
  fault: (request: IncomingMessage, body: Buffer) => StoreFault | Promise<StoreFault>,
) {
  const { origin, stop } = await startHttpServer((request, response) => {
    const respond = async () => {
      const { method = '', url = '', headers } = request
      const result = await fault(request, await buffer(request))
      if ('respond' in result) return void response.end(result.respond)
      const { 'content-md5': _, 'transfer-encoding': __, ...kept } = headers
      const hasBody = method === 'PUT' || method === 'POST'
      const length = hasBody ? { 'content-length': String(result.forward.length) } : {}
      forward(`${endpoint}${url}`, { method, headers: { ...kept, ...length } }, (incoming) => {
        response.writeHead(incoming.statusCode ?? 500, incoming.headers)
        incoming.pipe(response)
      }).end(result.forward)
    }
    respond().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  return { endpoint: origin, stop }
}
