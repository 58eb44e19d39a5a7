import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const compressible = /^(?:text\/|application\/(?:json|javascript|manifest\+json)|image\/svg\+xml)/
/** Below this, the headers outweigh what is saved. */
const smallest = 2048
const quick = { level: 1 }
const brotliQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const gzipText = promisify<string, { level: number }, Buffer>(gzip)

/** Compresses an answer's text as the client understands it: what was written for it at once quickly, files well. */
export async function compressAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const accepted = request.headers['accept-encoding'] ?? ''
  const type = String(reply.getHeader('content-type') ?? '')
  const isWhole = reply.statusCode !== 206 && reply.statusCode !== 304 && request.method !== 'HEAD'
  if (!isWhole || !compressible.test(type) || reply.hasHeader('content-encoding')) return payload
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`)
  if (typeof payload === 'string') {
    if (payload.length < smallest || !/\bgzip\b/.test(accepted)) return payload
    encoded(reply, 'gzip')
    return gzipText(payload, quick)
  }
  if (!(payload instanceof Readable)) return payload
  const isBrotli = /\bbr\b/.test(accepted)
  if (!isBrotli && !/\bgzip\b/.test(accepted)) return payload
  encoded(reply, isBrotli ? 'br' : 'gzip')
  const compressor = isBrotli ? createBrotliCompress(brotliQuality) : createGzip()
  payload.once('error', (error) => compressor.destroy(error))
  return payload.pipe(compressor)
}

function encoded(reply: FastifyReply, encoding: 'gzip' | 'br'): void {
  reply.header('content-encoding', encoding).removeHeader('content-length').removeHeader('accept-ranges')
}
