import type { BodyOf } from '../../../contract/endpoints.ts'
import { unknownEmail } from '../../../contract/accounts/unknown-email.ts'
import type { User as ShownUser } from '../../../contract/accounts/user.ts'
import { queueNotice } from '../../mail/account-notices.ts'
import { projectOf } from '../../auth/access.ts'
import { assertConfirmed, canSwitch, memberOf, personsSession, type Caller } from '../../auth/caller.ts'
import {
  assertOwnCredentials,
  lockCredentials,
  lockUser,
  managedByProvider,
  userOfCaller,
} from '../../auth/factors/own-credentials.ts'
import { assertGoodPassword, hashPassword } from '../../auth/passwords.ts'
import { throttled } from '../../auth/rate-limit.ts'
import { conflict, invalidInput, notFound } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { countPasskeys } from '../../store/accounts/passkeys.ts'
import type { Project } from '../../store/accounts/projects.ts'
import { organizationsOf } from '../../store/accounts/organizations.ts'
import { queueMail, secondsToMail } from '../../store/accounts/mails.ts'
import { endSessions } from '../../store/accounts/sessions.ts'
import { endLinks } from '../../store/accounts/user-tokens.ts'
import { findOtherByEmail, type User } from '../../store/accounts/users.ts'
import { audit } from '../../store/audit/audit-entries.ts'
import { inTransaction, type Store } from '../../store/schema/database.ts'
import { findRow, isDuplicate, updateRows } from '../../store/schema/rows.ts'
import { changedValues } from '../audit/audit-call.ts'
import { offeredDestinations } from '../exports/destination-input.ts'
import type { Handler } from '../handler.ts'

const hourMs = 3_600_000
/** New addresses that a user can enter per hour: each is sent a link. */
const addressesMax = 5

/** Returns the user of the key or session and the projects that it can access; the first is the current project. */
export const getUser: Handler<'getUser'> = async ({ services, caller, projects }) => {
  const user = await userOfCaller(services.store, caller)
  return showUser(services, caller, { user, projects })
}

/**
 * A new password ends the user's other sessions and the links sent to them. With a mail server, a new address counts once the
 * link sent to it is opened, and the answer is the same whether it has an account.
 */
export const changeUser: Handler<'changeUser'> = async ({ services, caller, projects, body }) => {
  const { store, clock } = services
  const { email, password } = body
  personsSession(caller)
  const isIdentity = email !== undefined || password !== undefined
  if (isIdentity) {
    await assertOwnCredentials(store, caller)
    assertConfirmed(caller, clock.now())
  }
  if (email?.toLowerCase() === unknownEmail) throw invalidInput('Enter your own address.', ['email'])
  const password_hash = password && (await newHash(store, caller, { ...body, password }))
  const user = await inTransaction(store, async (transaction) => {
    const before = await (isIdentity ? lockCredentials : lockUser)(transaction, caller)
    return change({ ...services, store: transaction }, caller, before, { ...body, password_hash })
  }).catch((error: unknown) => {
    throw isDuplicate(error) ? conflict('This address cannot be used.') : error
  })
  return showUser(services, caller, { user, projects })
}

/** @throws ApiError 400 about a password that is easily guessed */
async function newHash(
  store: Store,
  caller: Caller,
  { password, ...body }: BodyOf<'changeUser'> & { password: string },
): Promise<string> {
  const user = await userOfCaller(store, caller)
  const { first_name = user.first_name, email = user.email } = body
  assertGoodPassword(password, [first_name, ...email.split('@'), 'spool'])
  return hashPassword(password)
}

type Change = Omit<BodyOf<'changeUser'>, 'password'> & { password_hash: string | undefined }

/** Changes a user who is locked, and returns them. @throws ApiError 400, 403 and 429 about an address */
async function change(
  services: Services,
  caller: Caller,
  before: User,
  { password_hash, ...body }: Change,
): Promise<User> {
  const { store, clock, config } = services
  const { first_name = before.first_name, email: wanted = before.email } = body
  const isMoved = wanted !== before.email
  if (isMoved && (await findRow(store, 'user_identities', { user_id: before.id }))) throw managedByProvider()
  const isMailed = config.smtp !== null && before.email !== unknownEmail
  const names = { email: isMailed ? before.email : wanted, first_name }
  // Who signs in with a password is found by the address in the whole installation.
  const isChosen = password_hash !== undefined || (body.email !== undefined && !isMailed)
  if (isChosen && (await findOtherByEmail(store, names.email, memberOf(caller))))
    throw invalidInput('This address cannot be used.', ['email'])
  const changed = {
    ...names,
    ...(password_hash !== undefined && { password_hash }),
    ...(isChosen && { organization_id: null }),
    ...(names.email !== before.email && { email_confirmed_at: null }),
  }
  await updateRows(store, 'users', { id: before.id }, changed)
  await audit(store, {
    organizationId: caller.organizationId,
    action: password_hash === undefined ? 'member.updated' : 'member.password_changed',
    at: new Date(clock.now()),
    object: { id: before.id, name: first_name },
    ...changedValues({ email: before.email, first_name: before.first_name }, names),
  })
  const about = { recipient: before.email, user_id: before.id }
  if (password_hash !== undefined || names.email !== before.email) await endLinks(store, before)
  if (password_hash !== undefined) {
    await endSessions(store, { user_id: before.id }, caller.session?.id ?? null)
    await queueNotice(services, 'password changed', before)
  }
  if (isMailed && isMoved) {
    await assertFewAddresses(services, before)
    await queueMail(services, { kind: 'new address', ...about, recipient: wanted })
    await queueMail(services, { kind: 'address notice', ...about })
  }
  return { ...before, ...changed }
}

/** @throws ApiError 429 */
async function assertFewAddresses(services: Pick<Services, 'store' | 'clock'>, { id }: User): Promise<void> {
  const limit = { kind: 'new address', max: addressesMax, periodMs: hourMs } as const
  const wait = await secondsToMail(services, limit, { user_id: id })
  if (wait !== null) throw throttled(wait, `You entered ${addressesMax} new addresses within an hour.`)
}

async function showUser(
  { store }: Services,
  caller: Caller,
  { user, projects }: { user: User; projects: readonly Project[] },
): Promise<ShownUser> {
  const organization = await findRow(store, 'organizations', { id: caller.organizationId })
  if (!organization) throw notFound('Organization not found.')
  const team = projectOf(projects)
  return {
    uuid: user.id,
    email: user.email,
    first_name: user.first_name,
    role: caller.role,
    scopes: caller.scopes,
    scopes_by_team: caller.scopesIn && Object.fromEntries(caller.scopesIn),
    all_teams: caller.scoped_projects === null,
    key: caller.key && { id: caller.key.id, label: caller.key.label },
    has_password: user.password_hash !== null,
    organizations: canSwitch(caller)
      ? await organizationsOf(store, caller.userId)
      : [{ id: organization.id, name: organization.name, project_ids: projects.map(({ id }) => id) }],
    has_second_factor: user.totp_secret !== null,
    passkeys: await countPasskeys(store, user.id),
    organization: {
      id: organization.id,
      name: organization.name,
      teams: projects.map(({ id, name, api_token }) => ({ id, name, api_token })),
    },
    team: { id: team.id, name: team.name },
  }
}

export const getInstance: Handler<'getInstance'> = async ({ services }) => ({
  destinations: offeredDestinations(services),
  exports_folder: services.exportsFolder,
  private_destinations_allowed: services.config.privateDestinations === 'all',
  settle_seconds: services.config.settleSeconds,
})
