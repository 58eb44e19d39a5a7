import type { IncomingMessage } from 'node:http'
import { ApiError, overloaded, tooLarge, unreadable, unsupportedMediaType } from '../problems/api-error.ts'
import type { BodyBudget } from './body-budget.ts'
import { BodyRefused, receiveBody } from './receive-body.ts'

const bodyBytesMax = 2 * 1024 * 1024
const tooLargeDetail = 'The request body is larger than the limit of 2 MB.'

/**
 * Parses a request's JSON body; an absent or empty body is `{}`.
 * @throws ApiError 413 when the body is too large, 415 when it is not JSON, 400 when it cannot be parsed, 408 when it stops
 * arriving, 503 when all bodies together are too large.
 */
export async function readJson(request: IncomingMessage, budget: BodyBudget): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > bodyBytesMax) throw tooLarge(tooLargeDetail)
  const { bytes, release } = await receiveBody(request, { bytesMax: bodyBytesMax, budget }).catch(refuse)
  release()
  if (bytes.length === 0) return {}
  assertJsonType(request)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? cause.message : 'The body is not valid UTF-8.'
    throw unreadable(`JSON parse error - ${reason.toWellFormed()}`, cause)
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof BodyRefused)) throw error
  switch (error.reason) {
    case 'too large':
      throw tooLarge(tooLargeDetail)
    case 'no room':
      throw overloaded('Too much data is being received at the moment. Try again shortly.')
    case 'stalled':
      throw new ApiError({
        status: 408,
        type: 'invalid_request',
        code: 'request_timeout',
        detail: 'The body stopped arriving. Send the request again.',
        headers: { connection: 'close' },
      })
    case 'incomplete':
      throw unreadable('The request ended before its body was complete.')
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
  throw unsupportedMediaType(`Unsupported ${unsupported.slice(0, 200)} in request.`)
}
