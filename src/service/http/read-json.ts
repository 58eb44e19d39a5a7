import type { IncomingMessage } from 'node:http'
import { ApiError } from '../problems/api-error.ts'

const bodyBytesMax = 2 * 1024 * 1024

/**
 * Parses a request's JSON body; an absent or empty body is `{}`.
 * @throws ApiError 413 when the body is too large, 415 when it is not JSON, 400 when it cannot be parsed.
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > bodyBytesMax) throw tooLarge()
  const bytes = await readBytes(request)
  if (bytes.length === 0) return {}
  assertJsonType(request)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? cause.message : 'The body is not valid UTF-8.'
    throw new ApiError(
      {
        status: 400,
        type: 'invalid_request',
        code: 'parse_error',
        detail: `JSON parse error - ${reason.toWellFormed()}`,
      },
      { cause },
    )
  }
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('a request without an encoding yields buffers')
    length += chunk.length
    if (length > bodyBytesMax) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function assertJsonType(request: IncomingMessage): void {
  const type = request.headers['content-type'] ?? ''
  const encoding = request.headers['content-encoding'] ?? 'identity'
  const isJson = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type.trim())
  const charset = /charset="?([^";\s]+)/i.exec(type)?.[1]?.toLowerCase() ?? 'utf-8'
  const unsupported =
    !isJson || charset !== 'utf-8' ? `media type "${type}"` : `content encoding "${encoding}"`
  if (isJson && charset === 'utf-8' && encoding === 'identity') return
  throw new ApiError({
    status: 415,
    type: 'invalid_request',
    code: 'unsupported_media_type',
    detail: `Unsupported ${unsupported.slice(0, 200)} in request.`,
  })
}

function tooLarge(): ApiError {
  return new ApiError({
    status: 413,
    type: 'invalid_request',
    code: 'request_too_large',
    detail: 'The request body is larger than the limit of 2 MB.',
    headers: { connection: 'close' },
  })
}
