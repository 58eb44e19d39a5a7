import { memberName } from '../../../contract/accounts/member-name.ts'
import { InspectedInvite, type InviteAccept } from '../../../contract/accounts/member.ts'
import { personsSession } from '../../auth/caller.ts'
import type { Client } from '../../auth/client.ts'
import { lockUser } from '../../auth/factors/own-credentials.ts'
import { assertFewWrongCodes } from '../../auth/factors/second-factor.ts'
import { assertGoodPassword, hashPassword, isPassword } from '../../auth/passwords.ts'
import type { RateLimit } from '../../auth/rate-limit.ts'
import { hashToken, startSession } from '../../auth/sessions.ts'
import { ApiError, conflict, invalidInput, notFound, permissionDenied } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { moveSession } from '../../store/accounts/organizations.ts'
import { findInvite, addMember, takeInvite } from '../../store/accounts/members.ts'
import { unknownEmail } from '../../../contract/accounts/unknown-email.ts'
import { findMemberByEmail, findUserByEmail, type User } from '../../store/accounts/users.ts'
import { actingNow } from '../../store/audit/acting.ts'
import { audit } from '../../store/audit/audit-entries.ts'
import { inTransaction, type Store } from '../../store/schema/database.ts'
import { newId } from '../../store/schema/identifier.ts'
import { shownAs } from '../shown-as.ts'
import type { Handler } from '../handler.ts'
import { showSession } from './sessions.ts'
import type { OpenHandler } from './open-handler.ts'

type FoundInvite = NonNullable<Awaited<ReturnType<typeof findInvite>>>
type Tries = { services: Services; client: Client; rateLimit: RateLimit }

/** The handlers of invites that need neither key nor session. */
export const inviteHandlers: {
  inspectInvite: OpenHandler<'inspectInvite'>
  acceptInvite: OpenHandler<'acceptInvite'>
} = {
  async inspectInvite(request) {
    const invite = await inviteOf(request, request.body.token)
    return shownAs(InspectedInvite, { ...invite, is_limited: invite.project_roles !== null })
  },

  async acceptInvite(request) {
    const { services, client, body } = request
    const invite = await inviteOf(request, body.token)
    assertInvited(invite, body.email)
    const account = await accountOf(request, invite, body)
    const session = await inTransaction(services.store, async (store) => {
      const user = 'id' in account ? account : await insertUser(store, account)
      await join({ ...services, store }, invite, user)
      const { organization_id } = invite
      return startSession({ ...services, store }, client, {
        user_id: user.id,
        organization_id,
        method: 'password',
        password_hash: user.password_hash,
      })
    })
    return showSession(session, session.id)
  },
}

/** Accepts an invite as the person who is signed in; their session moves to the organization. */
export const joinByInvite: Handler<'joinByInvite'> = async (request) => {
  const { services, caller, body } = request
  const session = personsSession(caller)
  if (session.method === 'provider')
    throw permissionDenied(
      'You are signed in by a provider of your organization. Accept the invite with a password.',
    )
  const invite = await inviteOf(request, body.token)
  const { organization_id } = invite
  await inTransaction(services.store, async (store) => {
    const user = await lockUser(store, caller)
    assertInvited(invite, user.email)
    await join({ ...services, store }, invite, user)
    await moveSession(store, session, organization_id, new Date(services.clock.now()))
  })
  return showSession(session, session.id)
}

/** @throws ApiError 404 if the invite cannot be accepted, 429 after too many such requests from the address */
async function inviteOf({ services, client, rateLimit }: Tries, token: string): Promise<FoundInvite> {
  rateLimit.assertFewFailures(client.address, null)
  const invite = await findInvite(services.store, hashToken(token), new Date(services.clock.now()))
  if (invite) return invite
  rateLimit.countFailure(client.address, null)
  throw noInvite()
}

function noInvite(): ApiError {
  return notFound('This invite has been used or revoked, or has expired. Ask for another one.')
}

/** @throws ApiError 400 if the invite is for another address, or if it is that of users who gave none */
function assertInvited(invite: FoundInvite, email: string): void {
  if (email.toLowerCase() === unknownEmail) throw invalidInput('Enter your own address.', ['email'])
  if (invite.email === null || invite.email.toLowerCase() === email.toLowerCase()) return
  throw invalidInput(`This invite is for ${invite.email}.`, ['email'])
}

type NewAccount = Pick<User, 'email' | 'first_name' | 'created_at'> & { password_hash: string }

/**
 * Returns the account whose password was given, or what a new one begins with. Whether an address has an account is told only
 * to whoever knows its password. @throws ApiError 400 about a password that is easily guessed, 401
 */
async function accountOf(
  { services, client, rateLimit }: Tries,
  { organization_id }: FoundInvite,
  { email, password, first_name }: InviteAccept,
): Promise<User | NewAccount> {
  const { store, clock, refusals } = services
  const account = email.toLowerCase()
  rateLimit.assertFewFailures(client.address, account)
  if (first_name !== undefined) assertGoodPassword(password, [first_name, ...email.split('@'), 'spool'])
  const user = await findUserByEmail(store, email)
  if (user) assertFewWrongCodes(user, clock.now())
  // Also without an account, so that the time of the answer does not tell whether there is one.
  if ((await isPassword(password, user?.password_hash ?? null)) && user) {
    if (user.totp_secret === null) return user
    throw permissionDenied(
      "This account uses two-step sign-in: sign in first, then open the invite's link again.",
    )
  }
  const isMember = (await findMemberByEmail(store, email, organization_id)) !== undefined
  if (!user && !isMember && first_name !== undefined) {
    const created_at = new Date(clock.now())
    return { email, first_name, created_at, password_hash: await hashPassword(password) }
  }
  rateLimit.countFailure(client.address, account)
  const { actor, address } = actingNow()
  const acting = { actor, address }
  refusals.add({
    organizationId: organization_id,
    email: account,
    action: 'sign_in.refused',
    name: null,
    acting,
  })
  throw refused()
}

function refused(): ApiError {
  return new ApiError({
    status: 401,
    type: 'authentication_error',
    code: 'sign_in_failed',
    detail:
      'The invite cannot be accepted with this e-mail address and password. If you have an account, sign in with its password.',
  })
}

/** @throws ApiError 401 if another request has just created an account with the address */
async function insertUser(store: Store, account: NewAccount): Promise<User> {
  const user = await store
    .insertInto('users')
    .values({ id: newId(account.created_at.getTime()), ...account })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!user) throw refused()
  return user
}

/** Makes a user a member as the invite says, which is used up. @throws ApiError 404 if it has been used, 409 for a member */
async function join({ store, clock }: Services, invite: FoundInvite, user: User): Promise<void> {
  if (!(await takeInvite(store, invite.id))) throw noInvite()
  const { organization_id, role, project_roles } = invite
  const created_at = new Date(clock.now())
  const member = { organization_id, user_id: user.id, role, project_roles, created_at }
  if (!(await addMember(store, member))) throw conflict('You are a member of this organization already.')
  await audit(store, {
    organizationId: organization_id,
    action: 'member.added',
    at: created_at,
    object: { id: user.id, name: memberName(user) },
    after: { role, project_roles, invite: invite.id },
    acting: { ...actingNow(), actor: { kind: 'person', id: user.id, name: user.first_name } },
  })
}
