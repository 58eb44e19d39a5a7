import type { FastifyRequest } from 'fastify'
import { organizationHeader } from '../../contract/accounts/organization-header.ts'
import { ApiError } from '../problems/api-error.ts'
import type { Services } from '../services.ts'
import { findApiKeyByHash } from '../store/accounts/api-keys.ts'
import { findSessionByHash } from '../store/accounts/sessions.ts'
import { hashApiKey } from './api-key-value.ts'
import { callerOfKey, callerOfSession, type Caller } from './caller.ts'
import { assertOwnPage, isFromPage, sessionToken } from './client.ts'
import { hashToken, isAlive } from './sessions.ts'

const bearer = /^bearer(?: +(.*?))? *$/i

/**
 * Returns the caller that a request's Authorization header or, without one, its cookie identifies.
 * @param onWrongKey counts an unknown key. Valid keys work even from an address that has sent many unknown ones.
 * @throws ApiError 401 when the request has neither or an unknown one, 403 when a page of another site sent the cookie, 409 when
 * the page shows another organization.
 */
export async function authenticate(
  services: Services,
  request: FastifyRequest,
  onWrongKey: () => void,
): Promise<Caller> {
  const refuse = (code: string, detail: string) => unauthenticated(code, detail, isFromPage(request))
  const header = request.headers.authorization
  const token = header === undefined ? sessionToken(request) : null
  if (token !== null) {
    assertOwnPage(request, 'needs an origin')
    const caller = await callerWithToken(services, token)
    if (caller) {
      assertShownOrganization(request, caller)
      return caller
    }
    onWrongKey()
    throw endedSession()
  }
  const value = bearer.exec(header?.trim() ?? '')?.[1]
  if (!value) throw refuse('not_authenticated', 'Authentication credentials were not provided.')
  const key = await callerWithKey(services, value)
  if (typeof key !== 'string') return key
  onWrongKey()
  throw refuse('authentication_failed', key)
}

/**
 * Checks that a page shows the organization in which its session works: another tab may have switched since.
 * @throws ApiError 409
 */
function assertShownOrganization({ headers }: FastifyRequest, { organizationId }: Caller): void {
  const shown = headers[organizationHeader]
  if (shown === undefined || shown === organizationId) return
  throw new ApiError({
    status: 409,
    type: 'validation_error',
    code: 'other_organization',
    detail:
      'You now work in another organization than the one that this page shows. Reload the page, or switch back.',
  })
}

/** Returns the caller that a key identifies, or why there is none. */
export async function callerWithKey(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  value: string,
): Promise<Caller | string> {
  const found = await findApiKeyByHash(store, hashApiKey(value))
  if (!found) return 'Personal API key found in request Authorization header is invalid.'
  const { hash: _, role, project_roles, ...key } = found
  if (key.expires_at && key.expires_at.getTime() <= clock.now())
    return 'Personal API key found in request Authorization header has expired. Create another one.'
  if (key.is_service) return callerOfKey(key, null)
  if (role === null)
    return 'Personal API key found in request Authorization header belongs to someone who has left the organization.'
  return callerOfKey(key, { role, project_roles })
}

/** Whether a request's cookie is that of a session that has not ended. */
export async function hasSession(services: Services, request: FastifyRequest): Promise<boolean> {
  const token = sessionToken(request)
  return token !== null && (await callerWithToken(services, token)) !== null
}

async function callerWithToken({ store, clock }: Services, token: string): Promise<Caller | null> {
  const found = await findSessionByHash(store, hashToken(token))
  if (!found) return null
  const { session, member, key } = found
  const keyHasEnded = key?.expires_at && key.expires_at.getTime() <= clock.now()
  if (!isAlive(session, clock.now()) || keyHasEnded) return null
  return callerOfSession(session, member, key)
}

/** Pages alone have sessions. */
export function endedSession(): ApiError {
  return unauthenticated('authentication_failed', 'The session has ended. Sign in again.', true)
}

function unauthenticated(code: string, detail: string, isPage: boolean): ApiError {
  const headers = isPage ? {} : { 'www-authenticate': 'Bearer' }
  return new ApiError({ status: 401, type: 'authentication_error', code, detail, headers })
}
