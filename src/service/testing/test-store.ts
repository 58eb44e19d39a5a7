import { mkdtemp } from 'node:fs/promises'
import { request as forward, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { startHttpServer } from './servers/test-http-server.ts'

/** Starts an S3 server with these buckets. */
export async function startTestStore(buckets: readonly string[] = ['exports']) {
  const directory = await mkdtemp(join(tmpdir(), 'spool-s3-'))
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    vhostBuckets: false,
    directory,
    configureBuckets: buckets.map((name) => ({ name, configs: [] })),
  })
  const { port } = await server.run()
  return { endpoint: `http://127.0.0.1:${port}`, stop: () => server.close() }
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
