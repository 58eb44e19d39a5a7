import type { AuditValues } from '../schema/audit-tables.ts'
import type { StoreTransaction } from '../schema/database.ts'
import { deleteRows, findRows, updateRow } from '../schema/rows.ts'
import { endProviderSessions } from './identity-providers.ts'
import { removeSecondFactor } from './second-factors.ts'
import { endSessions } from './sessions.ts'
import { endLinks } from './user-tokens.ts'
import { membershipsOf, type Member, type User } from './users.ts'

/** Ends every way into an account but its password: also its personal keys, in one organization or in all. */
export async function endOtherCredentials(
  transaction: StoreTransaction,
  user: Pick<User, 'id' | 'email'>,
  organization_id?: string,
): Promise<void> {
  const user_id = user.id
  await removeSecondFactor(transaction, user_id)
  await endSessions(transaction, { user_id }, null)
  await endLinks(transaction, user)
  await deleteRows(transaction, 'passkeys', { user_id })
  const keys = { user_id, is_service: false }
  await deleteRows(
    transaction,
    'api_keys',
    organization_id === undefined ? keys : { ...keys, organization_id },
  )
}

/** Leaves a member of one organization to its identity provider: ends every way into the account of its own. */
export async function endOwnCredentials(
  transaction: StoreTransaction,
  { user_id, organization_id }: Pick<Member, 'user_id' | 'organization_id'>,
): Promise<void> {
  const change = { password_hash: null, organization_id }
  const user = await updateRow(transaction, 'users', { id: user_id }, change)
  if (user) await endOtherCredentials(transaction, user, organization_id)
}

/**
 * Treats a former owner whom a provider of the organization knows like other members: the provider alone lets them in. If they
 * are a member of other organizations, it no longer knows them, since it must not decide who signs in there. Returns what has
 * changed for the audit log; null if nothing has.
 */
export async function demoteLinkedOwner(
  transaction: StoreTransaction,
  { user_id, organization_id }: Pick<Member, 'user_id' | 'organization_id'>,
): Promise<AuditValues | null> {
  const identities = await findRows(transaction, 'user_identities', { user_id, organization_id })
  const [identity] = identities
  if (!identity) return null
  if ((await membershipsOf(transaction, user_id)).length === 1) {
    await endOwnCredentials(transaction, { user_id, organization_id })
    return { identity_provider: identity.provider, credentials: 'ended' }
  }
  for (const { provider } of identities) await endProviderSessions(transaction, { id: provider }, { user_id })
  await deleteRows(transaction, 'user_identities', { user_id, organization_id })
  return { identity_provider: null }
}
