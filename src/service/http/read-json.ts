import type { IncomingMessage } from 'node:http'
import { ApiError } from '../problems/api-error.ts'
import type { BodyBudget } from './body-budget.ts'
import { BodyRefused, receiveBody } from './receive-body.ts'

const bodyBytesMax = 2 * 1024 * 1024

/**
 * Parses a request's JSON body; an absent or empty body is `{}`.
 * @throws ApiError 413 when the body is too large, 415 when it is not JSON, 400 when it cannot be parsed, 408 when it stops
 * arriving, 503 when all bodies together are too large.
 */
export async function readJson(request: IncomingMessage, budget: BodyBudget): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > bodyBytesMax) throw tooLarge()
  const { bytes, release } = await receiveBody(request, { bytesMax: bodyBytesMax, budget }).catch(refuse)
  release()
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

function refuse(error: unknown): never {
  if (!(error instanceof BodyRefused)) throw error
  switch (error.reason) {
    case 'too large':
      throw tooLarge()
    case 'no room':
      throw new ApiError({
        status: 503,
        type: 'server_error',
        code: 'overloaded',
        detail: 'Too much data is being received at the moment. Try again shortly.',
        headers: { 'retry-after': '10' },
      })
    case 'stalled':
      throw new ApiError({
        status: 408,
        type: 'invalid_request',
        code: 'request_timeout',
        detail: 'The body stopped arriving. Send the request again.',
        headers: { connection: 'close' },
      })
    case 'incomplete':
      throw new ApiError({
        status: 400,
        type: 'invalid_request',
        code: 'parse_error',
        detail: 'The request ended before its body was complete.',
      })
  }
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
