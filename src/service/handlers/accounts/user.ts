import type { BodyOf } from '../../../contract/endpoints.ts'
import { unknownEmail } from '../../../contract/accounts/unknown-email.ts'
import type { User as ShownUser } from '../../../contract/accounts/user.ts'
import { projectOf } from '../../auth/access.ts'
import { assertConfirmed, canSwitch, memberOf, type Caller } from '../../auth/caller.ts'
import { assertOwnCredentials, managedByProvider } from '../../auth/factors/own-credentials.ts'
import { assertGoodPassword, hashPassword } from '../../auth/passwords.ts'
import { throttled } from '../../auth/rate-limit.ts'
import { invalidInput, notFound, permissionDenied } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { countPasskeys } from '../../store/accounts/passkeys.ts'
import type { Project } from '../../store/accounts/projects.ts'
import { organizationsOf } from '../../store/accounts/organizations.ts'
import { queueMail, secondsToMail } from '../../store/accounts/mails.ts'
import { endSessions } from '../../store/accounts/sessions.ts'
import { endLinks } from '../../store/accounts/user-tokens.ts'
import { findOtherByEmail, type User } from '../../store/accounts/users.ts'
import { audit } from '../../store/audit/audit-entries.ts'
import { inTransaction } from '../../store/schema/database.ts'
import { findRow, updateRows } from '../../store/schema/rows.ts'
import { changedValues } from '../audit/audit-call.ts'
import { offeredDestinations } from '../exports/destination-input.ts'
import type { Handler } from '../handler.ts'

const hourMs = 3_600_000
/** New addresses that a user can enter per hour: each is sent a link. */
const addressesMax = 5

/** Returns the user of the key or session and the projects that it can access; the first is the current project. */
export const getUser: Handler<'getUser'> = async ({ services, caller, projects }) => {
  const user = await findRow(services.store, 'users', { id: caller.userId })
  if (!user) throw new Error('the caller has no user')
  return showUser(services, caller, { user, projects })
}

/**
 * A new password ends the user's other sessions and the links sent to them. With a mail server, a new address counts once the
 * link sent to it is opened, and the answer is the same whether it has an account.
 */
export const changeUser: Handler<'changeUser'> = async ({ services, caller, projects, body }) => {
  const { store, clock, config } = services
  const before = await userWhoMay(services, caller, body)
  const { password, first_name = before.first_name } = body
  const isMailed = config.smtp !== null && before.email !== unknownEmail
  const isMoved = body.email !== undefined && body.email !== before.email
  const email = isMailed ? before.email : (body.email ?? before.email)
  const names = { email, first_name }
  if (password !== undefined)
    assertGoodPassword(password, [first_name, ...(body.email ?? email).split('@'), 'spool'])
  const password_hash = password === undefined ? before.password_hash : await hashPassword(password)
  await inTransaction(store, async (transaction) => {
    // Who signs in with a password is found by the address in the whole installation.
    const isChosen = password !== undefined || (body.email !== undefined && !isMailed)
    if (isChosen && (await findOtherByEmail(transaction, email, memberOf(caller))))
      throw invalidInput('This address cannot be used.', ['email'])
    const change = { ...names, password_hash, ...(isChosen && { organization_id: null }) }
    await updateRows(transaction, 'users', { id: before.id }, change)
    await audit(transaction, {
      organizationId: caller.organizationId,
      action: password === undefined ? 'member.updated' : 'member.password_changed',
      at: new Date(clock.now()),
      object: { id: before.id, name: first_name },
      ...changedValues({ email: before.email, first_name: before.first_name }, names),
    })
    const mails = { store: transaction, clock }
    const about = { recipient: before.email, user_id: before.id }
    if (password !== undefined) {
      await endSessions(transaction, { user_id: before.id }, caller.session?.id ?? null)
      await endLinks(transaction, before)
      if (isMailed) await queueMail(mails, { kind: 'password changed', ...about })
    }
    if (!isMailed || !isMoved) return
    await assertFewAddresses(mails, before)
    await queueMail(mails, { kind: 'new address', ...about, recipient: body.email ?? '' })
    await queueMail(mails, { kind: 'address notice', ...about })
  })
  return showUser(services, caller, { user: { ...before, ...names, password_hash }, projects })
}

/** Returns the caller's user. @throws ApiError 403 if the caller may not make such a change, 400 about an address */
async function userWhoMay(
  { store, clock }: Services,
  caller: Caller,
  body: BodyOf<'changeUser'>,
): Promise<User> {
  if (!caller.isPerson)
    throw permissionDenied('Only a person who has signed in can change this, not an API key.')
  const isIdentity = body.email !== undefined || body.password !== undefined
  if (isIdentity) {
    await assertOwnCredentials(store, caller)
    assertConfirmed(caller, clock.now())
  }
  const user = await findRow(store, 'users', { id: caller.userId })
  if (!user) throw new Error('the caller has no user')
  const isMoved = body.email !== undefined && body.email !== user.email
  if (isMoved && (await findRow(store, 'user_identities', { user_id: user.id }))) throw managedByProvider()
  if (body.email?.toLowerCase() === unknownEmail) throw invalidInput('Enter your own address.', ['email'])
  return user
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
