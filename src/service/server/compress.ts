import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const compressible = /^(?:text\/|application\/(?:json|javascript|manifest\+json)|image\/svg\+xml)/
/** Below this, the headers outweigh what is saved. */
const smallest = 2048
const quick = { level: 1 }
const loopback = /^(?:::1$|(?:::ffff:)?127\.)/
const brotliQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const gzipText = promisify<string, { level: number }, Buffer>(gzip)

/** Compresses an answer's text as the client understands it: files well, what was written for it quickly or, on this machine, not at all. */
export async function compressAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const accepted = request.headers['accept-encoding'] ?? ''
  const type = String(reply.getHeader('content-type') ?? '')
  const isWhole = reply.statusCode !== 206 && reply.statusCode !== 304 && request.method !== 'HEAD'
  if (!isWhole || !compressible.test(type) || reply.hasHeader('content-encoding')) return payload
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`)
  if (typeof payload === 'string') {
    if (payload.length < smallest || !/\bgzip\b/.test(accepted) || isOnThisMachine(request)) return payload
    encoded(reply, 'gzip')
    return gzipText(payload, quick)
  }
  if (!(payload instanceof Readable)) return payload
  // Lines of a recording are many and written for the answer: Brotli would take fifteen times as long over them.
  const isFresh = type === 'application/jsonl'
  if (isFresh && isOnThisMachine(request)) return payload
  const isBrotli = !isFresh && /\bbr\b/.test(accepted)
  if (!isBrotli && !/\bgzip\b/.test(accepted)) return payload
  encoded(reply, isBrotli ? 'br' : 'gzip')
  const compressor = isBrotli ? createBrotliCompress(brotliQuality) : createGzip(isFresh ? quick : {})
  payload.once('error', (error) => compressor.destroy(error))
  return payload.pipe(compressor)
}

/** Here bytes cost nothing and time does; a proxy on this machine asks for someone who is elsewhere. */
function isOnThisMachine({ socket, headers }: FastifyRequest): boolean {
  const isProxied = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto'].some(
    (name) => name in headers,
  )
  return !isProxied && loopback.test(socket.remoteAddress ?? '')
}

function encoded(reply: FastifyReply, encoding: 'gzip' | 'br'): void {
  reply.header('content-encoding', encoding).removeHeader('content-length').removeHeader('accept-ranges')
}
