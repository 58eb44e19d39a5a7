import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../../contract/problem.ts'
import { ApiError, notFound } from '../problems/api-error.ts'
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
  request: FastifyRequest,
  details: Pick<Problem, 'type' | 'code' | 'detail'> &
    Partial<Pick<Problem, 'attr' | 'issues' | 'position' | 'ended_at'>>,
): Problem {
  const { type, code, detail, attr = null, issues, position, ended_at } = details
  return {
    type,
    code,
    detail,
    attr,
    request_id: request.id,
    ...(issues && { issues }),
    ...(position && { position }),
    ...(ended_at && { ended_at }),
  }
}

/** Converts errors that Fastify raises before a handler runs. */
function frameworkError(error: unknown): ApiError | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  if (error.code === 'FST_ERR_BAD_URL') return notFound()
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new ApiError({
      status: 415,
      type: 'invalid_request',
      code: 'unsupported_media_type',
      detail: 'Unsupported media type in request.',
    })
  if (error.code === 'ECONNRESET' || error.code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return new ApiError({
      status: 400,
      type: 'invalid_request',
      code: 'parse_error',
      detail: 'The request ended before its body was complete.',
    })
  if (error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE')
    return new ApiError({
      status: 400,
      type: 'invalid_request',
      code: 'parse_error',
      detail: 'A request with this method needs a Content-Type header.',
    })
  return null
}

async function engineError(
  { config, logger }: ProblemServices,
  request: FastifyRequest,
  error: unknown,
): Promise<ApiError | null> {
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
