import type { Issue, QueryPosition } from '../../contract/problem.ts'

type Details = {
  status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 429 | 503
  type: 'validation_error' | 'invalid_request' | 'authentication_error' | 'throttled_error' | 'server_error'
  code: string
  detail: string
  attr?: string | null
  issues?: Issue[]
  position?: QueryPosition
  ended_at?: string
  headers?: Record<string, string>
}

/** An error response of the API; the server serialises it as the error body that clients see. */
export class ApiError extends Error {
  readonly details: Details

  constructor(details: Details, options?: ErrorOptions) {
    super(details.detail, options)
    this.details = details
  }
}

export function notFound(detail = 'Not found.'): ApiError {
  return new ApiError({ status: 404, type: 'invalid_request', code: 'not_found', detail })
}

/** Returns a 400 about the field at `path`; `attr` defaults to the path joined by `__`. */
export function invalidInput(
  detail: string,
  path: (string | number)[] = [],
  options: { attr?: string | null; code?: string; position?: QueryPosition | undefined } = {},
): ApiError {
  const attr = options.attr === undefined ? path.join('__') || null : options.attr
  const issues = [{ path, message: detail }]
  return new ApiError({
    status: 400,
    type: 'validation_error',
    code: options.code ?? 'invalid_input',
    detail,
    attr,
    issues,
    ...(options.position && { position: options.position }),
  })
}

/** Returns a 400 about the field at `path`: no object that the caller can access has this id. */
export function unknownId(id: string, path: (string | number)[]): ApiError {
  const detail = `Invalid pk "${id.slice(0, 100).toWellFormed()}" - object does not exist.`
  return invalidInput(detail, path, { code: 'does_not_exist' })
}

export function permissionDenied(detail: string): ApiError {
  return new ApiError({ status: 403, type: 'authentication_error', code: 'permission_denied', detail })
}

export function conflict(detail: string): ApiError {
  return new ApiError({ status: 409, type: 'validation_error', code: 'conflict', detail })
}

/** Returns a 400 about a request that cannot be read. */
export function unreadable(detail: string, cause?: unknown): ApiError {
  return new ApiError({ status: 400, type: 'invalid_request', code: 'parse_error', detail }, { cause })
}

/** Returns a 413; the connection is closed, because the rest of the body stays unread. */
export function tooLarge(detail: string, cause?: unknown): ApiError {
  const headers = { connection: 'close' }
  return new ApiError(
    { status: 413, type: 'invalid_request', code: 'request_too_large', detail, headers },
    { cause },
  )
}

export function unsupportedMediaType(detail: string): ApiError {
  return new ApiError({ status: 415, type: 'invalid_request', code: 'unsupported_media_type', detail })
}

/** Returns a 503 about work for which there is no room at the moment. */
export function overloaded(detail: string): ApiError {
  const headers = { 'retry-after': '10' }
  return new ApiError({ status: 503, type: 'server_error', code: 'overloaded', detail, headers })
}

/** Returns a 503 about work that could not be done in time; the client may try again in a minute. */
export function busy(detail: string, cause: unknown): ApiError {
  const headers = { 'retry-after': '60' }
  return new ApiError({ status: 503, type: 'server_error', code: 'busy', detail, headers }, { cause })
}
