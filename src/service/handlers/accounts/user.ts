import { unknownEmail } from '../../../contract/accounts/unknown-email.ts'
import type { User as ShownUser } from '../../../contract/accounts/api-key.ts'
import { projectOf } from '../../auth/access.ts'
import { assertConfirmed, canSwitch, type Caller } from '../../auth/caller.ts'
import { assertGoodPassword, hashPassword } from '../../auth/passwords.ts'
import { invalidInput, notFound, permissionDenied } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import type { Project } from '../../store/accounts/projects.ts'
import { organizationsOf } from '../../store/accounts/organizations.ts'
import { endSessions } from '../../store/accounts/sessions.ts'
import { findMemberByEmail, findUserByEmail, type User } from '../../store/accounts/users.ts'
import { audit } from '../../store/audit/audit-entries.ts'
import { inTransaction, type Store } from '../../store/schema/database.ts'
import { deleteRows, findRow, updateRows } from '../../store/schema/rows.ts'
import { changedValues } from '../audit/audit-call.ts'
import { offeredDestinations } from '../exports/destination-input.ts'
import type { Handler } from '../handler.ts'

/** Returns the user of the key or session and the projects that it can access; the first is the current project. */
export const getUser: Handler<'getUser'> = async ({ services, caller, projects }) => {
  const user = await findRow(services.store, 'users', { id: caller.userId })
  if (!user) throw new Error('the caller has no user')
  return showUser(services, caller, { user, projects })
}

/** A new password ends the user's other sessions and the links sent to them. */
export const changeUser: Handler<'changeUser'> = async ({ services, caller, projects, body }) => {
  const { store, clock } = services
  if (!caller.isPerson)
    throw permissionDenied('Only a person who has signed in can change this, not an API key.')
  const isIdentity = body.email !== undefined || body.password !== undefined
  // The organization that runs the provider must not get into the other organizations of the user.
  if (isIdentity && caller.session?.method === 'provider')
    throw permissionDenied(
      'Your identity provider manages your e-mail address and how you sign in: change them there.',
    )
  if (isIdentity) assertConfirmed(caller, clock.now())
  const before = await findRow(store, 'users', { id: caller.userId })
  if (!before) throw new Error('the caller has no user')
  if (body.email?.toLowerCase() === unknownEmail) throw invalidInput('Enter your own address.', ['email'])
  const { password, email = before.email, first_name = before.first_name } = body
  const names = { email, first_name }
  if (password !== undefined) assertGoodPassword(password, [first_name, ...email.split('@'), 'spool'])
  const password_hash = password === undefined ? before.password_hash : await hashPassword(password)
  await inTransaction(store, async (transaction) => {
    // Who signs in with a password is found by the address in the whole installation.
    const change = { ...names, password_hash, ...(isIdentity && { organization_id: null }) }
    if (isIdentity) await assertFreeEmail(transaction, caller, email)
    await updateRows(transaction, 'users', { id: before.id }, change)
    await audit(transaction, {
      organizationId: caller.organizationId,
      action: password === undefined ? 'member.updated' : 'member.password_changed',
      at: new Date(clock.now()),
      object: { id: before.id, name: first_name },
      ...changedValues({ email: before.email, first_name: before.first_name }, names),
    })
    if (password === undefined) return
    await endSessions(transaction, { user_id: before.id }, caller.session?.id ?? null)
    await deleteRows(transaction, 'user_tokens', { user_id: before.id })
  })
  return showUser(services, caller, { user: { ...before, ...names, password_hash }, projects })
}

/** @throws ApiError 400 if the address means another user, or another member of the organization */
async function assertFreeEmail(
  store: Store,
  { userId, organizationId }: Caller,
  email: string,
): Promise<void> {
  const user = await findUserByEmail(store, email)
  const member = await findMemberByEmail(store, email, organizationId)
  if ([user?.id, member?.user_id].some((id) => id !== undefined && id !== userId))
    throw invalidInput('This address cannot be used.', ['email'])
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
