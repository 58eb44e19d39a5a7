import { sql, type Selectable } from 'kysely'
import type { IdentityProvidersTable } from '../schema/account-tables.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import { countOf, deleteRows, findRow, findRows } from '../schema/rows.ts'
import type { Session } from './sessions.ts'

export type IdentityProviderRow = Selectable<IdentityProvidersTable>

/** Lists the providers of an organization, oldest first. */
export function providersOf(store: Store, organizationId: string): Promise<IdentityProviderRow[]> {
  return findRows(
    store,
    'identity_providers',
    { organization_id: organizationId },
    sql`ORDER BY created_at, id`,
  )
}

export function countProviders(store: Store, organizationId: string): Promise<number> {
  return countOf(store, sql`identity_providers WHERE organization_id = ${organizationId}`)
}

/** Lists the providers of all organizations that the login page offers. */
export function offeredProviders(store: Store): Promise<Pick<IdentityProviderRow, 'id' | 'name'>[]> {
  return rowsOf<Pick<IdentityProviderRow, 'id' | 'name'>>(store)`
    SELECT id, name FROM identity_providers WHERE enabled ORDER BY created_at, id`
}

/** Finds a provider of any organization that is turned on. */
export async function findEnabledProvider(
  store: Store,
  id: string,
): Promise<IdentityProviderRow | undefined> {
  // PostgreSQL has no text with this character.
  if (id.includes('\0')) return undefined
  return await findRow(store, 'identity_providers', { id, enabled: true })
}

/** Whether a user signs in with a provider of an organization of which they are no owner. */
export async function isManagedByProvider(store: Store, userId: string): Promise<boolean> {
  const rows = await rowsOf(store)`
    SELECT FROM user_identities JOIN members USING (organization_id, user_id)
    WHERE user_id = ${userId} AND role <> 'owner' LIMIT 1`
  return rows.length > 0
}

/**
 * Ends the sessions that a provider started: all of them, or those of a user or of a session at the provider. Also those that
 * an invite has since moved to another organization.
 */
export async function endProviderSessions(
  store: Store,
  provider: Pick<IdentityProviderRow, 'id'>,
  of: Partial<Pick<Session, 'user_id' | 'provider_session'>> = {},
): Promise<Pick<Session, 'id' | 'user_id' | 'device'>[]> {
  const { user_id = null, provider_session = null } = of
  return await rowsOf<Pick<Session, 'id' | 'user_id' | 'device'>>(store)`
    DELETE FROM sessions WHERE provider = ${provider.id}
      AND (${user_id}::uuid IS NULL OR user_id = ${user_id})
      AND (${provider_session}::text IS NULL OR provider_session = ${provider_session})
    RETURNING id, user_id, device`
}

/** Forgets whom a provider calls what, and ends the sessions that it started. */
export async function forgetIdentities(store: Store, provider: IdentityProviderRow): Promise<void> {
  await deleteRows(store, 'user_identities', { provider: provider.id })
  await endProviderSessions(store, provider)
}

/** Notes that a token was used; returns false if it was used before. */
export async function spendToken(store: Store, hash: Buffer, expiresAt: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO used_tokens (hash, expires_at) VALUES (${hash}, ${expiresAt}) ON CONFLICT DO NOTHING`.execute(
    store,
  )
  return numAffectedRows === 1n
}

/** Deletes the tokens that have expired. */
export async function deleteUsedTokens(store: Store, now: Date): Promise<void> {
  await sql`DELETE FROM used_tokens WHERE expires_at <= ${now}`.execute(store)
}
