import { request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { startHttpServer } from './test-http-server.ts'

/** The request at which a store hangs: any, an upload (whose first bytes it reads), or the completion of an upload. */
export type HangsAt = 'request' | 'upload' | 'completion'

/** Another store, to which the requests for these buckets are forwarded. */
type HealthyStore = { endpoint: string; buckets: readonly string[] }

const bytesReadOfUpload = 100_000

/** Starts an S3 store on 127.0.0.1 that accepts every connection and hangs at this request. */
export async function startHungStore(hangsAt: HangsAt, healthy?: HealthyStore) {
  const hung = Promise.withResolvers<void>()
  let hangs = 0
  let recovered = false
  const hang = () => {
    hangs += 1
    hung.resolve()
  }
  const { origin, closeConnections, stop } = await startHttpServer((request, response) => {
    const { method, url = '' } = request
    const isCompletion = method === 'POST' && url.includes('uploadId=')
    const isHealthy = recovered || healthy?.buckets.some((bucket) => url.startsWith(`/${bucket}/`))
    if (healthy && isHealthy) forward(healthy.endpoint, request, response)
    else if (hangsAt === 'request' || (hangsAt === 'completion' && isCompletion)) hang()
    else if (hangsAt === 'upload' && method === 'PUT') stopReading(request, hang)
    else request.resume().on('end', () => respond(request, response))
  })
  return {
    endpoint: origin,
    /** Resolves when the store hangs. */
    hung: hung.promise,
    /** Returns the number of requests that got no response. */
    hangs: () => hangs,
    /** Closes all connections and forwards later requests to the healthy store. */
    recover() {
      recovered = true
      closeConnections()
    },
    close: stop,
  }
}

function forward(endpoint: string, request: IncomingMessage, response: ServerResponse): void {
  const { method = 'GET', headers, url } = request
  const onward = sendRequest(`${endpoint}${url}`, { method, headers, agent: false }, (answer) => {
    if (response.destroyed) return void answer.destroy()
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    pipeline(answer, response, () => undefined)
  })
  pipeline(request, onward, (error) => {
    if (error) response.destroy()
  })
}

function stopReading(request: IncomingMessage, stopped: () => void): void {
  let read = 0
  request.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (read < bytesReadOfUpload && read < Number(request.headers['content-length'])) return
    request.removeAllListeners('data').pause()
    stopped()
  })
}

function respond({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
  if (method === 'GET' || method === 'HEAD') response.writeHead(404).end()
  else if (method === 'PUT') response.writeHead(200, { etag: '"part"' }).end()
  else if (method === 'POST' && url.includes('uploads'))
    response.end('<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>')
  else response.writeHead(204).end()
}
