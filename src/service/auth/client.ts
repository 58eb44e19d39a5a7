import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../problems/api-error.ts'
import { clientAddress } from './client-address.ts'
import { clientDevice } from './client-device.ts'
import { sessionMs } from './session-times.ts'

/** Where a request comes from, and the cookie of its session. */
export type Client = {
  /** As in `clientAddress`. */
  address: string
  device: string
  /** As in `ownOrigin`. */
  origin: string
  /** Sets the session's cookie, or removes it. */
  setToken(token: string | null): void
}

export function clientOf(request: FastifyRequest, reply: FastifyReply): Client {
  return {
    address: clientAddress(request.ip),
    device: clientDevice(request.headers['user-agent']),
    origin: ownOrigin(request),
    setToken(token) {
      setCookie(
        request,
        reply,
        'session',
        token === null ? null : { value: token, seconds: sessionMs.longest / 1000 },
      )
    },
  }
}

/** Returns the token of a session in a request's cookies. */
export function sessionToken(request: FastifyRequest): string | null {
  return cookieOf(request, 'session')
}

/** The cookies of this service: the token of a session, and a sign-in at an identity provider that is in progress. */
type CookieName = 'session' | 'sign_in'

/** Sets a cookie that scripts do not get, nor other sites but when a link leads here; null removes it. */
export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  cookie: CookieName,
  content: { value: string; seconds: number } | null,
): void {
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure(request) ? '; Secure' : ''}`
  const { value, seconds } = content ?? { value: '', seconds: 0 }
  reply.header('set-cookie', `${cookieName(request, cookie)}=${value}; Max-Age=${seconds}; ${attributes}`)
}

/** Returns the value of a cookie in a request. */
export function cookieOf(request: FastifyRequest, cookie: CookieName): string | null {
  const name = cookieName(request, cookie)
  const cookies = request.headers.cookie?.split(';') ?? []
  const found = cookies.map((each) => each.trim()).find((each) => each.startsWith(`${name}=`))
  return found?.slice(name.length + 1) || null
}

/** Whether the client is a page in a browser, which shows a dialog of its own after an answer with WWW-Authenticate. */
export function isFromPage({ headers }: FastifyRequest): boolean {
  return (
    headers['sec-fetch-site'] !== undefined || headers.origin !== undefined || headers.cookie !== undefined
  )
}

/**
 * Refuses what a page of another site, port or protocol sends, possibly with the user's cookie. Browsers tell the site of a
 * page in Sec-Fetch-Site and, when the request changes something, in Origin.
 * @throws ApiError 403
 */
export function assertOwnPage(request: FastifyRequest, rule: 'may lack an origin' | 'needs an origin'): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (site !== undefined && site !== 'same-origin' && !(site === 'none' && isRead)) throw foreignPage()
  if (origin !== undefined ? origin !== ownOrigin(request) : !isRead && rule === 'needs an origin')
    throw foreignPage()
}

/** Whether a page of another site, port or protocol leads here, as far as the browser tells. */
export function isFromOtherSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/** Returns the origin at which the client reaches the service. */
export function ownOrigin(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`
}

function foreignPage(): ApiError {
  return new ApiError({
    status: 403,
    type: 'authentication_error',
    code: 'foreign_origin',
    detail:
      'This request does not come from a page of this service. Behind a proxy with TLS, set SPOOL_TRUSTED_PROXIES. Scripts send an API key in the Authorization header instead of a cookie.',
  })
}

/** Cookies ignore ports, so services at several ports of a host need different names. */
function cookieName(request: FastifyRequest, cookie: CookieName): string {
  return isSecure(request)
    ? `__Host-spool_${cookie}`
    : `spool_${cookie}_${/:(\d+)$/.exec(request.host)?.[1] ?? 80}`
}

function isSecure(request: FastifyRequest): boolean {
  return request.protocol === 'https'
}
