import type { OpenEndpointName } from '../../../contract/endpoints.ts'
import type { SignIn } from '../../../contract/accounts/session.ts'
import { callerWithKey } from '../../auth/authenticate.ts'
import { isPassword } from '../../auth/passwords.ts'
import type { Refusal } from '../../auth/refusals.ts'
import { hashToken, startSession, type NewSession } from '../../auth/sessions.ts'
import { ApiError } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { offeredProviders } from '../../store/accounts/identity-providers.ts'
import { organizationsOf } from '../../store/accounts/organizations.ts'
import { findUserByEmail, hasPasswords } from '../../store/accounts/users.ts'
import { actingNow } from '../../store/audit/acting.ts'
import { takeToken } from '../../store/accounts/user-tokens.ts'
import { inviteHandlers } from './accept-invite.ts'
import { mailedLinkHandlers } from './mailed-links.ts'
import type { OpenHandler } from './open-handler.ts'
import { showSession } from './sessions.ts'

/** The handler of each endpoint that needs neither key nor session. */
export const openHandlers: { [Name in OpenEndpointName]: OpenHandler<Name> } = {
  ...inviteHandlers,
  ...mailedLinkHandlers,
  signInOptions: async ({ services: { store, config } }) => ({
    passwords: await hasPasswords(store),
    providers: await offeredProviders(store),
    sends_mail: config.smtp !== null,
  }),
  async signIn({ services, client, rateLimit, body }) {
    const account = 'email' in body ? body.email.toLowerCase() : null
    rateLimit.assertFewFailures(client.address, account)
    const identified = await identify(services, body)
    if (typeof identified === 'string') {
      rateLimit.countFailure(client.address, account)
      services.refusals.add(refusedSignIn(account))
      throw new ApiError({
        status: 401,
        type: 'authentication_error',
        code: 'sign_in_failed',
        detail: identified,
      })
    }
    const session = await startSession(services, client, identified)
    return showSession(session, session.id)
  },
}

/** Who the account belongs to is found later, so that the time of the answer does not tell whether there is one. */
function refusedSignIn(email: string | null): Refusal {
  const { actor, address } = actingNow()
  return { organizationId: null, email, action: 'sign_in.refused', name: null, acting: { actor, address } }
}

/** Returns what the session of a client that proves who it is starts with, or why there is none. */
async function identify(services: Services, input: SignIn): Promise<NewSession | string> {
  if ('key' in input) return withKey(services, input.key)
  if ('link' in input) return withLink(services, input.link)
  const user = await findUserByEmail(services.store, input.email)
  // Also without an account, so that neither answer nor time tells whether there is one.
  const isRight = await isPassword(input.password, user?.password_hash ?? null)
  const refusal = 'The e-mail address or the password is wrong.'
  return user && isRight ? ofUser(services, user.id, 'password', refusal) : refusal
}

async function withKey(services: Services, value: string): Promise<NewSession | string> {
  const caller = await callerWithKey(services, value)
  if (typeof caller === 'string' || !caller.key)
    return 'The service does not know this key. It may be incomplete, revoked or expired, or its owner has left.'
  if (caller.key.is_service)
    return 'This key belongs to the organization and is for scripts only. Use a key of your own.'
  const { user_id, organization_id, id } = caller.key
  return { user_id, organization_id, method: 'key', key_id: id }
}

async function withLink({ store, clock }: Services, link: string): Promise<NewSession | string> {
  const token = await takeToken(store, hashToken(link), 'sign in', new Date(clock.now()))
  if (!token) return 'This link has been used or has expired. Ask for another one.'
  const { user_id, organization_id } = token
  return { user_id, organization_id, method: 'link' }
}

/** The session begins in the organization that the user chose last, or else in the one that they joined first. */
async function ofUser(
  { store }: Services,
  userId: string,
  method: NewSession['method'],
  refusal: string,
): Promise<NewSession | string> {
  const [first] = await organizationsOf(store, userId)
  return first ? { user_id: userId, organization_id: first.id, method } : refusal
}
