import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PreparedJsonStream } from '../http/prepared-json.ts'

const compressible = /^(?:text\/|application\/(?:json|javascript|manifest\+json)|image\/svg\+xml)/
/** Shorter texts (in characters or bytes) save less than the headers cost. */
const compressedLengthMin = 2048
const quick = { level: 1 }
const loopback = /^(?:::1$|(?:::ffff:)?127\.)/
const brotliQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const gzipText = promisify<string | Buffer, { level: number }, Buffer>(gzip)

/** Compresses text responses: files thoroughly, generated text quickly or, for clients on this machine, not at all. */
export async function compressResponse(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const accepted = request.headers['accept-encoding'] ?? ''
  const type = String(reply.getHeader('content-type') ?? '')
  const isWhole = reply.statusCode !== 206 && reply.statusCode !== 304 && request.method !== 'HEAD'
  if (!isWhole || !compressible.test(type) || reply.hasHeader('content-encoding')) return payload
  const vary = String(reply.getHeader('vary') ?? '')
  if (!vary.includes('accept-encoding'))
    reply.header('vary', vary === '' ? 'accept-encoding' : `${vary}, accept-encoding`)
  if (typeof payload === 'string' || payload instanceof PreparedJsonStream) {
    const isText = typeof payload === 'string'
    const length = isText ? payload.length : payload.byteLength
    if (length < compressedLengthMin || !/\bgzip\b/.test(accepted) || isOnThisMachine(request)) return payload
    setEncoding(reply, 'gzip')
    return gzipText(isText ? payload : Buffer.concat(payload.parts), quick)
  }
  if (!(payload instanceof Readable)) return payload
  // Replay data is large and generated per response: Brotli would take fifteen times as long.
  const isGenerated = type === 'application/jsonl'
  if (isGenerated && isOnThisMachine(request)) return payload
  const isBrotli = !isGenerated && /\bbr\b/.test(accepted)
  if (!isBrotli && !/\bgzip\b/.test(accepted)) return payload
  setEncoding(reply, isBrotli ? 'br' : 'gzip')
  const compressor = isBrotli ? createBrotliCompress(brotliQuality) : createGzip(isGenerated ? quick : {})
  payload.once('error', (error) => compressor.destroy(error))
  return payload.pipe(compressor)
}

/** Sending bytes within a machine is cheaper than compressing them; a local proxy forwards for remote clients. */
function isOnThisMachine({ socket, headers }: FastifyRequest): boolean {
  const isProxied = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto'].some(
    (name) => name in headers,
  )
  return !isProxied && loopback.test(socket.remoteAddress ?? '')
}

function setEncoding(reply: FastifyReply, encoding: 'gzip' | 'br'): void {
  reply.header('content-encoding', encoding).removeHeader('content-length').removeHeader('accept-ranges')
}
