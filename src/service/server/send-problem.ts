import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../../contract/problem.ts'
import { ApiError, notFound, unreadable, unsupportedMediaType } from '../problems/api-error.ts'
import { downEngine } from '../problems/down-engine.ts'
import { fullDisk } from '../problems/full-disk.ts'
import type { Services } from '../services.ts'

type ProblemServices = Pick<Services, 'config' | 'logger'>

/** Sends an error in the API's format. Unexpected errors are logged with the request's id and sent as a plain 500. */
export async function sendProblem(
  services: ProblemServices,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<FastifyReply> {
  const { logger } = services
  const known =
    error instanceof ApiError
      ? error
      : (frameworkError(error) ?? (await engineError(services, request, error)))
  if (!known) {
    const { method, url, id } = request
    logger.error({ err: error, request_id: id, method, path: pathForLog(url) }, 'request failed')
    return reply
      .code(500)
      .send(problem(request, { type: 'server_error', code: 'error', detail: 'A server error occurred.' }))
  }
  const { status, headers, ...details } = known.details
  return reply
    .code(status)
    .headers(headers ?? {})
    .send(problem(request, details))
}

/** Returns the path of a URL without a signature or the token of a link. */
function pathForLog(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path.replace(
    /^(\/recorded-assets|\/exported-files|(?:\/api)?\/shared|\/embedded)\/[^/]+/,
    '$1/(secret)',
  )
}

function problem(
  { id: request_id }: Pick<FastifyRequest, 'id'>,
  { attr = null, ...details }: Pick<Problem, 'type' | 'code' | 'detail'> & Partial<Problem>,
): Problem {
  return { ...details, attr, request_id }
}

/** Converts errors that Fastify raises before a handler runs. */
function frameworkError(error: unknown): ApiError | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  if (error.code === 'FST_ERR_BAD_URL') return notFound()
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return unsupportedMediaType('Unsupported media type in request.')
  if (error.code === 'ECONNRESET' || error.code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return unreadable('The request ended before its body was complete.')
  if (error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE')
    return unreadable('A request with this method needs a Content-Type header.')
  return null
}

async function engineError({ config, logger }: ProblemServices, request: FastifyRequest, error: unknown) {
  const full = await fullDisk(error, config)
  const engine = downEngine(error)
  if (full === null && engine === null) return null
  logger.error({ err: error, request_id: request.id }, full ?? `${engine} cannot be reached`)
  return new ApiError(
    {
      status: 503,
      type: 'server_error',
      code: full === null ? 'engine_unavailable' : 'disk_full',
      detail: full ?? `${engine} cannot be reached at the moment. Try again shortly.`,
      headers: { 'retry-after': '10' },
    },
    { cause: error },
  )
}

/** Rejects a malformed HTTP request with the API's usual error body, and closes the connection. */
export function refuseRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const id = randomUUID()
  const detail = `${STATUS_CODES[status]}.`
  const body = JSON.stringify(problem({ id }, { type: 'invalid_request', code: 'parse_error', detail }))
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${id}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
