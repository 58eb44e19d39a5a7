import type { FastifyRequest } from 'fastify'
import { ownOrigin, sessionToken } from '../auth/client.ts'
import type { Config } from '../config.ts'
import { notFound, permissionDenied } from '../problems/api-error.ts'

/** Where the service listens, and the origin that was set for user content. */
type Origins = Pick<Config, 'host' | 'userContentOrigin'>

/** Values of SPOOL_HOST with which both names of this machine reach the service. */
const bothNames = new Set(['127.0.0.1', 'localhost', '0.0.0.0', '::', ''])

/**
 * Returns the origin for the recorded pages and the demo shop of a dashboard at this host, like `https://content.example.com`:
 * a script that escapes from a recording finds neither cookies nor storage of the dashboard there. By default, it is the
 * other name of this machine, like `//localhost:4280`, because cookies ignore ports. Null: there is only the dashboard's.
 */
export function contentOrigin({ host, userContentOrigin }: Origins, dashboardHost: string): string | null {
  if (userContentOrigin !== null)
    return new URL(userContentOrigin).host === dashboardHost ? null : userContentOrigin
  const [, name, port = ''] = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.exec(dashboardHost) ?? []
  if (name === undefined || !bothNames.has(host)) return null
  return `//${name === 'localhost' ? '127.0.0.1' : 'localhost'}${port}`
}

/** Whether a request was sent to SPOOL_USER_CONTENT_ORIGIN. */
function isForContent({ userContentOrigin }: Origins, { host }: FastifyRequest): boolean {
  return userContentOrigin !== null && new URL(userContentOrigin).host === host
}

/** @throws ApiError 404 about a request to SPOOL_USER_CONTENT_ORIGIN: no API and no page for people is there. */
export function refuseAtContentOrigin(origins: Origins, request: FastifyRequest): void {
  if (!isForContent(origins, request)) return
  throw notFound(
    'This address is SPOOL_USER_CONTENT_ORIGIN, which shows only recorded pages: open Spool at its own address.',
  )
}

/** Returns the origin whose scripts may read recorded assets: that of the player's frame, which loads them from its own host. */
export function originOfAssets({ userContentOrigin }: Origins, request: FastifyRequest): string {
  return userContentOrigin ?? ownOrigin(request)
}

/**
 * Returns the URL at which a page of the demo shop opens instead: its scripts could act for a person who is signed in at the
 * same host. Null: it opens here.
 * @throws ApiError 403 if there is no such URL.
 */
export function shopElsewhere(origins: Origins, request: FastifyRequest): string | null {
  const { host, url } = request
  const isSignedIn = sessionToken(request) !== null
  const other = contentOrigin(origins, host)
  if (!isSignedIn && (other === null || origins.userContentOrigin === null)) return null
  const to = new URL(url, 'http://path.invalid')
  // Two hosts at which someone is signed in would redirect to each other forever.
  const isRedirected = origins.userContentOrigin === null && to.searchParams.has('from')
  if (other === null || isRedirected)
    throw permissionDenied(
      'The demo shop opens only where you are not signed in: set SPOOL_USER_CONTENT_ORIGIN, or sign out here.',
    )
  to.searchParams.set('from', host)
  return other + to.pathname + to.search
}

/** Returns a warning for the log if pages at the address to listen on, or behind a proxy, have no other origin; else null. */
export function contentOriginWarning({
  host,
  userContentOrigin,
  trustedProxies,
}: Origins & Pick<Config, 'trustedProxies'>): string | null {
  const isOnlyLocal = (host === '127.0.0.1' || host === 'localhost') && trustedProxies.length === 0
  if (userContentOrigin !== null || isOnlyLocal) return null
  return 'recordings play on the same origin as the dashboard unless it is opened at localhost or 127.0.0.1: set SPOOL_USER_CONTENT_ORIGIN to a second origin of this service'
}
