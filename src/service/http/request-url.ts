import type { FastifyRequest } from 'fastify'

const plainHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** Returns the URL that the client requested, with the scheme that proxies report; an invalid Host becomes localhost. */
export function requestUrl(request: FastifyRequest): URL {
  const forwarded = String(request.headers['x-forwarded-proto'] ?? '')
    .split(',')[0]
    ?.trim()
    .toLowerCase()
  const scheme = forwarded === 'https' || forwarded === 'http' ? forwarded : request.protocol
  const host = plainHost.test(request.headers.host ?? '') ? request.headers.host : 'localhost'
  const target = request.raw.url ?? '/'
  const base = `${scheme}://${host}`
  const path = target.startsWith('/') ? target : '/'
  return URL.canParse(base + path) ? new URL(base + path) : new URL(`http://localhost${path}`)
}
