import type { SignInResult } from '../../../contract/accounts/session.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { ApiError } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import {
  countCodeTry,
  countRecoveryCodes,
  countStepTry,
  isLastTry,
} from '../../store/accounts/second-factors.ts'
import type { Session } from '../../store/accounts/sessions.ts'
import { takeToken, type UserToken } from '../../store/accounts/user-tokens.ts'
import { membershipsOf, type User } from '../../store/accounts/users.ts'
import { actingNow } from '../../store/audit/acting.ts'
import { audit } from '../../store/audit/audit-entries.ts'
import { inTransaction } from '../../store/schema/database.ts'
import { findRow, insertRow } from '../../store/schema/rows.ts'
import type { Client } from '../client.ts'
import type { RateLimit } from '../rate-limit.ts'
import { hashToken, newToken, provenUser, startSession, type NewSession } from '../sessions.ts'
import { tooManyCodes, spendCode, type GivenCode } from './second-factor.ts'

/** Time (ms) in which a code completes a sign-in. */
const stepMs = 5 * 60_000

/**
 * Begins the second step of a sign-in. Returns null if the user has no second factor: then `startSession` completes it. The
 * token is no session, and works for this user and sign-in alone. @throws ApiError 401 as `provenUser`
 */
export async function beginStep(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  session: NewSession,
): Promise<Exclude<SignInResult, { id: string }> | null> {
  return inTransaction(store, async (transaction) => {
    const { totp_secret } = await provenUser(transaction, session)
    if (!totp_secret) return null
    const { user_id, organization_id, method } = session
    const step = newToken()
    const expires_at = new Date(clock.now() + stepMs)
    await insertRow(transaction, 'user_tokens', {
      hash: hashToken(step),
      user_id,
      organization_id,
      purpose: 'second factor',
      email: null,
      expires_at,
      method,
    })
    return { step, expires_at: formatInstant(expires_at) }
  })
}

type Tries = { services: Services; client: Client; rateLimit: RateLimit }

/**
 * Completes a sign-in with a code. Every try is counted before the code is checked, so that requests at the same time have no
 * more tries than others. `onWrong` is called with the address of the account whose code was wrong.
 * @throws ApiError 401 with the code `wrong_code` or, if the sign-in has to begin again, `sign_in_failed`; 429
 */
export async function finishStep(
  { services, client, rateLimit }: Tries,
  { step, ...given }: { step: string } & GivenCode,
  onWrong: (email: string) => void,
): Promise<Session> {
  const { store, clock } = services
  const now = new Date(clock.now())
  rateLimit.assertFewFailures(client.address, null)
  const token = await countStepTry(store, hashToken(step), now)
  const user = token && (await findRow(store, 'users', { id: token.user_id }))
  if (!token || !user) {
    rateLimit.countFailure(client.address, null)
    throw refused('sign_in_failed', 'This sign-in took longer than 5 minutes or has ended. Sign in again.')
  }
  const account = user.email.toLowerCase()
  rateLimit.assertFewFailures(client.address, account)
  if (!(await countCodeTry(store, user, now)))
    throw tooManyCodes(user.code_tries_since?.getTime() ?? now.getTime(), now.getTime())
  const session = await inTransaction(store, (transaction) =>
    complete({ ...services, store: transaction }, client, { token, user, given }),
  )
  if (session) return session
  rateLimit.countFailure(client.address, account)
  onWrong(account)
  if (isLastTry(token)) throw refused('sign_in_failed', 'Five codes were wrong. Sign in again.')
  const detail =
    'code' in given
      ? 'This code is wrong or has been used. Enter the one that your app shows now, and check the clock of its device.'
      : 'This recovery code is wrong or has been used.'
  throw refused('wrong_code', detail)
}

type Completion = { token: UserToken; user: User; given: GivenCode }

/** Starts the session if the code is right; it and the step are used up only together. */
async function complete(
  services: Services,
  client: Client,
  { token, user, given }: Completion,
): Promise<Session | null> {
  const { store, clock } = services
  const second_factor = await spendCode(services, user, given)
  if (!second_factor) return null
  const { hash, user_id, organization_id, method } = token
  const isOpen = await takeToken(store, hash, 'second factor', new Date(clock.now()))
  const memberships = await membershipsOf(store, user_id)
  if (!isOpen || !method || !memberships.some((member) => member.organization_id === organization_id))
    throw refused('sign_in_failed', 'This sign-in has ended. Sign in again.')
  if (second_factor === 'recovery_code') {
    const actor = { kind: 'person', id: user_id, name: user.first_name } as const
    await audit(store, {
      organizationId: organization_id,
      action: 'member.recovery_code_used',
      at: new Date(clock.now()),
      object: { id: user_id, name: user.first_name },
      after: { recovery_codes: await countRecoveryCodes(store, user_id) },
      acting: { ...actingNow(), actor },
    })
  }
  return startSession(services, client, { user_id, organization_id, method, second_factor })
}

function refused(code: 'sign_in_failed' | 'wrong_code', detail: string): ApiError {
  return new ApiError({ status: 401, type: 'authentication_error', code, detail })
}
