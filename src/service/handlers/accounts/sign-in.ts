import type { OpenEndpointName } from '../../../contract/endpoints.ts'
import type { PasskeyAnswer } from '../../../contract/accounts/passkey.ts'
import type { SignIn } from '../../../contract/accounts/session.ts'
import { callerWithKey } from '../../auth/authenticate.ts'
import type { Client } from '../../auth/client.ts'
import { requestPasskey, verifyPasskey } from '../../auth/factors/passkeys.ts'
import { assertFewWrongCodes } from '../../auth/factors/second-factor.ts'
import { beginStep, finishStep } from '../../auth/factors/second-step.ts'
import { isPassword } from '../../auth/passwords.ts'
import type { Refusal } from '../../auth/refusals.ts'
import { hashToken, startSession, type NewSession } from '../../auth/sessions.ts'
import { ApiError, conflict } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { offeredProviders } from '../../store/accounts/identity-providers.ts'
import { organizationsOf } from '../../store/accounts/organizations.ts'
import { hasPasskeys } from '../../store/accounts/passkeys.ts'
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
    passkeys: await hasPasskeys(store),
    providers: await offeredProviders(store),
    sends_mail: config.smtp !== null,
  }),
  beginPasskeySignIn: ({ services, client, rateLimit }) => {
    rateLimit.assertFewFailures(client.address, null)
    rateLimit.passkeyRequest(client.address)
    return requestPasskey(services, client, byPasskey, null)
  },
  async signIn({ services, client, rateLimit, hasSession, body }) {
    if ('step' in body) {
      const onWrong = (email: string) => services.refusals.add(refusedSignIn(email))
      const session = await finishStep({ services, client, rateLimit }, body, onWrong)
      return showSession(session, session.id)
    }
    const account = 'email' in body ? body.email.toLowerCase() : null
    rateLimit.assertFewFailures(client.address, account)
    if ('unless_signed_in' in body && (await hasSession()))
      throw conflict('This browser is signed in already. Leave out unless_signed_in to replace its session.')
    const identified = await identify(services, client, body)
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
    const { asksForCode, ...started } = identified
    const step = asksForCode ? await beginStep(services, started) : null
    if (step) return step
    const session = await startSession(services, client, started)
    return showSession(session, session.id)
  },
}

const byPasskey = { purpose: 'sign in', session_id: null } as const

/** Who the account belongs to is found later, so that the time of the answer does not tell whether there is one. */
function refusedSignIn(email: string | null): Refusal {
  const { actor, address } = actingNow()
  return { organizationId: null, email, action: 'sign_in.refused', name: null, acting: { actor, address } }
}

/** What a session starts with, and whether a code has to complete the sign-in if the user has a second factor. */
type Identified = NewSession & { asksForCode: boolean }

/** Returns who a client proves to be, or why it does not. */
async function identify(
  services: Services,
  client: Client,
  input: Exclude<SignIn, { step: string }>,
): Promise<Identified | string> {
  if ('key' in input) return withKey(services, input.key)
  if ('link' in input) return withLink(services, input.link)
  if ('passkey' in input) return withPasskey(services, client, input.passkey)
  const user = await findUserByEmail(services.store, input.email)
  // Before the password is checked: after too many wrong codes, nobody learns whether it is right.
  if (user) assertFewWrongCodes(user, services.clock.now())
  // Also without an account, so that neither answer nor time tells whether there is one.
  const isRight = await isPassword(input.password, user?.password_hash ?? null)
  const refusal = 'The e-mail address or the password is wrong.'
  const session = user && isRight ? await ofUser(services, user.id, 'password') : null
  return session ? { ...session, password_hash: user?.password_hash ?? null, asksForCode: true } : refusal
}

/** The scopes of a key are limited, and scripts cannot send codes: a session of a key needs none. */
async function withKey(services: Services, value: string): Promise<Identified | string> {
  const caller = await callerWithKey(services, value)
  if (typeof caller === 'string' || !caller.key)
    return 'The service does not know this key. It may be incomplete, revoked or expired, or its owner has left.'
  if (caller.key.is_service)
    return 'This key belongs to the organization and is for scripts only. Use a key of your own.'
  const { user_id, organization_id, id } = caller.key
  return { user_id, organization_id, method: 'key', key_id: id, asksForCode: false }
}

async function withLink({ store, clock }: Services, link: string): Promise<Identified | string> {
  const [hash, now] = [hashToken(link), new Date(clock.now())]
  const plain = await takeToken(store, hash, 'sign in', now)
  const token = plain ?? (await takeToken(store, hash, 'sign in without a code', now))
  if (!token) return 'This link has been used or has expired. Ask for another one.'
  const { user_id, organization_id } = token
  return { user_id, organization_id, method: 'link', asksForCode: plain !== undefined }
}

/** A passkey is two factors: the device, and the fingerprint, face or PIN that it has verified. */
async function withPasskey(
  services: Services,
  client: Client,
  answer: PasskeyAnswer,
): Promise<Identified | string> {
  const passkey = await verifyPasskey(services, client, byPasskey, answer)
  if (typeof passkey === 'string') return passkey
  const session = await ofUser(services, passkey.user_id, 'passkey')
  return session
    ? { ...session, passkey_id: passkey.id, asksForCode: false }
    : 'The owner of this passkey has left.'
}

/** The session begins in the organization that the user chose last, or else in the one that they joined first. */
async function ofUser(
  { store }: Services,
  user_id: string,
  method: NewSession['method'],
): Promise<NewSession | null> {
  const [first] = await organizationsOf(store, user_id)
  return first ? { user_id, organization_id: first.id, method } : null
}
