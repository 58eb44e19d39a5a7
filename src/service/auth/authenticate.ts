import { ApiError } from '../problems/api-error.ts'
import type { Services } from '../services.ts'
import { findApiKeyByHash } from '../store/accounts/api-keys.ts'
import { hashApiKey } from './api-key-value.ts'
import { callerOfKey, type Caller } from './caller.ts'

const bearer = /^bearer(?: +(.*?))? *$/i

/**
 * Returns the caller that an Authorization header identifies.
 * @param onWrongKey counts an unknown key. Valid keys work even from an address that has sent many unknown ones.
 * @throws ApiError 401 when the header has no key or an unknown one.
 */
export async function authenticate(
  services: Services,
  header: string | undefined,
  onWrongKey: () => void,
): Promise<Caller> {
  const value = bearer.exec(header?.trim() ?? '')?.[1]
  if (!value) throw unauthenticated('not_authenticated', 'Authentication credentials were not provided.')
  const found = await findApiKeyByHash(services.store, hashApiKey(value))
  if (!found) {
    onWrongKey()
    throw unauthenticated(
      'authentication_failed',
      'Personal API key found in request Authorization header is invalid.',
    )
  }
  const { hash: _, organization_id: organizationId, ...key } = found
  return callerOfKey(key, organizationId)
}

function unauthenticated(code: string, detail: string): ApiError {
  return new ApiError({
    status: 401,
    type: 'authentication_error',
    code,
    detail,
    headers: { 'www-authenticate': 'Bearer' },
  })
}
