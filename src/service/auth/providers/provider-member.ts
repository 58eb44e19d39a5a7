import { sql } from 'kysely'
import type { Rights } from '../../../contract/accounts/roles.ts'
import type { SignInProblem } from '../../../contract/accounts/sign-in-problem.ts'
import type { Services } from '../../services.ts'
import { endOwnCredentials } from '../../store/accounts/credentials.ts'
import { endProviderSessions, type IdentityProviderRow } from '../../store/accounts/identity-providers.ts'
import { addMember, deleteInvitesBy } from '../../store/accounts/members.ts'
import { findMemberByEmail, isRemovedMember, membershipsOf, type Member } from '../../store/accounts/users.ts'
import { actingNow } from '../../store/audit/acting.ts'
import { audit } from '../../store/audit/audit-entries.ts'
import { inTransaction, type Store, type StoreTransaction } from '../../store/schema/database.ts'
import { newId } from '../../store/schema/identifier.ts'
import { deleteRows, findRow, insertRow, updateRows } from '../../store/schema/rows.ts'
import { accessOf, confirmedEmail, shownName, type ProviderClaims } from './provider-claims.ts'

type Needs = Pick<Services, 'store' | 'clock'>

/**
 * Returns the member whom a provider's claims identify, with the role that their groups grant now, or why there is none. A
 * member is known by the provider's name for them; at their first sign-in by a confirmed e-mail address, or is added.
 */
export function memberWithClaims(
  services: Needs,
  provider: IdentityProviderRow,
  claims: ProviderClaims & { sub: string },
): Promise<Member | SignInProblem> {
  const email = confirmedEmail(claims, provider)
  const access = accessOf(provider, claims, email)
  const now = new Date(services.clock.now())
  return inTransaction(services.store, async (transaction) => {
    // One at a time, so that two first sign-ins of someone add one member.
    await findRow(transaction, 'organizations', { id: provider.organization_id }, sql`FOR NO KEY UPDATE`)
    const known = await knownMember(transaction, provider, claims.sub)
    if (typeof access === 'string') {
      // Whoever has lost access also loses the sessions that the provider started and, unless they are an owner, their keys.
      if (known) await endProviderSessions(transaction, provider, { user_id: known.user_id })
      if (known && known.role !== 'owner') {
        const { organization_id, user_id } = known
        await deleteRows(transaction, 'api_keys', { organization_id, user_id, is_service: false })
      }
      return access
    }
    const found = known ?? (email === null ? 'email' : await memberByEmail(transaction, provider, email))
    if (typeof found === 'string') return found
    if (found && !known) await takeOver(transaction, found, provider, now)
    const person = { email: email ?? '', name: shownName(claims, email ?? '') }
    const member = found
      ? await withAccess(transaction, found, access, now)
      : await addPerson(transaction, provider, { ...person, access, now })
    const { organization_id, user_id } = member
    const identity = { provider: provider.id, subject: claims.sub, organization_id, user_id }
    await transaction
      .insertInto('user_identities')
      .values({ ...identity, created_at: now, last_sign_in_at: now })
      .onConflict((conflict) =>
        conflict.columns(['provider', 'subject']).doUpdateSet({ last_sign_in_at: now }),
      )
      .execute()
    return member
  })
}

async function knownMember(store: Store, { id, organization_id }: IdentityProviderRow, subject: string) {
  const identity = await findRow(store, 'user_identities', { provider: id, subject, organization_id })
  return identity && (await findRow(store, 'members', { organization_id, user_id: identity.user_id }))
}

/**
 * Returns the member with an e-mail address, undefined if nobody here has it. A member of other organizations, too, is never
 * linked: this organization must not decide who signs in there.
 */
async function memberByEmail(store: Store, { organization_id }: IdentityProviderRow, email: string) {
  const member = await findMemberByEmail(store, email, organization_id)
  if (!member) return (await isRemovedMember(store, email, organization_id)) ? 'removed' : undefined
  const memberships = await membershipsOf(store, member.user_id)
  return memberships.length === 1 ? memberships[0] : 'elsewhere'
}

/**
 * Ends all other ways into an account that is linked by its address: the address was never confirmed here, so whoever entered
 * it may be someone else, who would get the role of the one who now signs in. An owner has all rights already and keeps theirs,
 * to get in when the provider fails.
 */
async function takeOver(
  transaction: StoreTransaction,
  member: Member,
  provider: IdentityProviderRow,
  at: Date,
): Promise<void> {
  if (member.role === 'owner') return
  await endOwnCredentials(transaction, member)
  const after = { identity_provider: provider.id, credentials: 'ended' }
  await auditMember(transaction, 'member.updated', { member, after, at })
}

/** Gives a member the role and projects of their groups. An owner, who is made by hand, stays one. */
async function withAccess(
  transaction: StoreTransaction,
  member: Member,
  access: Rights,
  at: Date,
): Promise<Member> {
  const { organization_id, user_id, role, project_roles } = member
  const isSame = role === access.role && isSameRoles(project_roles, access.project_roles)
  if (role === 'owner' || isSame) return member
  const stored = access.project_roles && JSON.stringify(access.project_roles)
  await updateRows(
    transaction,
    'members',
    { organization_id, user_id },
    { role: access.role, project_roles: stored },
  )
  await auditMember(transaction, 'member.role_changed', {
    member,
    before: { role, project_roles },
    after: access,
    at,
  })
  await deleteInvitesBy(transaction, member)
  return { ...member, ...access }
}

function isSameRoles(one: Rights['project_roles'], other: Rights['project_roles']): boolean {
  const sorted = (roles: Rights['project_roles']) => roles && Object.entries(roles).toSorted().join()
  return sorted(one) === sorted(other)
}

type NewMember = { email: string; name: string; access: Rights; now: Date }

/** Adds a user whose address counts in this organization alone: what its provider says of addresses is nothing to others. */
async function addPerson(
  transaction: StoreTransaction,
  { organization_id }: IdentityProviderRow,
  { email, name, access, now }: NewMember,
): Promise<Member> {
  const [user_id, created_at] = [newId(now.getTime()), now]
  await insertRow(transaction, 'users', { id: user_id, email, first_name: name, created_at, organization_id })
  const member = { organization_id, user_id, ...access, created_at, chosen_at: null }
  await addMember(transaction, member)
  await auditMember(transaction, 'member.added', { member, after: access, at: now })
  return member
}

type MemberChange = { member: Member; before?: Rights; after: Record<string, unknown>; at: Date }

async function auditMember(
  store: Store,
  action: 'member.added' | 'member.updated' | 'member.role_changed',
  { member: { organization_id, user_id }, before, after, at }: MemberChange,
): Promise<void> {
  const user = await findRow(store, 'users', { id: user_id })
  const name = user?.first_name ?? ''
  await audit(store, {
    organizationId: organization_id,
    action,
    at,
    object: { id: user_id, name },
    ...(before && { before }),
    after,
    acting: { ...actingNow(), actor: { kind: 'person', id: user_id, name } },
  })
}
