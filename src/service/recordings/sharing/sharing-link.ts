import { formatInstant } from '../../../contract/instant.ts'
import type { RateLimit } from '../../auth/rate-limit.ts'
import { ApiError } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { findShared, type Shared, type SharingRow } from '../../store/recordings/recording-sharing.ts'
import type { SharingAttempts } from './sharing-attempts.ts'
import { isPassword } from './sharing-password.ts'
import { hashSharingToken } from './sharing-token.ts'

type Limits = { attempts: SharingAttempts; rateLimit: RateLimit }
type Given = { token: string; password: string | undefined; address: string }

/** Returns what a token's link opens, possibly with a password; null if nothing. `token` may be any text. */
export async function linkTarget({ store, clock }: Services, token: string) {
  const shared = await findShared(store, hashSharingToken(token))
  if (!shared || !isOpen(shared.link, clock.now())) return null
  return shared.collection ? 'collection' : 'recording'
}

/**
 * Returns a link with the recording or collection that it opens.
 * @throws ApiError 403 when the link does not work or the password is missing or wrong, 429 after too many wrong ones or requests.
 */
export async function followLink(
  { store, clock }: Services,
  { attempts, rateLimit }: Limits,
  { token, password, address }: Given,
): Promise<Shared> {
  const shared = await findShared(store, hashSharingToken(token))
  if (!shared) throw invalidLink()
  if (!isOpen(shared.link, clock.now())) throw endedLink(shared.link)
  const { id, password_hash: passwordHash } = shared.link
  if (passwordHash !== null && !password) throw refused('password_required', 'This link requires a password.')
  // Before the password is checked, which takes a lot of CPU time.
  rateLimit.count(`link ${id}`)
  if (passwordHash === null || !password) return shared
  attempts.begin(id, address)
  if (!(await isPassword(password, passwordHash)))
    throw refused('password_incorrect', 'The password is incorrect.')
  attempts.succeeded(id, address)
  return shared
}

function isOpen({ enabled, expires_at }: SharingRow, now: number): boolean {
  return enabled && (expires_at === null || expires_at.getTime() > now)
}

/** Says how a link ended. Only those who were given its token learn this; a link that never worked is unknown. */
function endedLink({ enabled, revoked_at, expires_at }: SharingRow): ApiError {
  if (!enabled)
    return revoked_at ? refused('link_revoked', 'This link was revoked.', revoked_at) : invalidLink()
  return refused('link_expired', 'This link has expired.', expires_at)
}

/** Also returned when an open link does not cover the request, so that nobody learns which recordings exist. */
export function invalidLink(): ApiError {
  const detail = 'This link does not work: it was replaced or deleted, or its address is incomplete.'
  return refused('permission_denied', detail)
}

function refused(code: string, detail: string, endedAt: Date | null = null): ApiError {
  const ended = endedAt && { ended_at: formatInstant(endedAt) }
  return new ApiError({ status: 403, type: 'authentication_error', code, detail, ...ended })
}
