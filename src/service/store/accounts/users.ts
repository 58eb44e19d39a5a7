import { sql, type Selectable } from 'kysely'
import { unknownEmail } from '../../../contract/accounts/unknown-email.ts'
import type { MembersTable, UsersTable } from '../schema/account-tables.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import { findRow, findRows } from '../schema/rows.ts'

export type User = Selectable<UsersTable>
export type Member = Selectable<MembersTable>

/** Finds an organization's first owner, who owns the keys created on the command line. */
export function firstOwner(store: Store, organizationId: string): Promise<Member | undefined> {
  const first = sql`ORDER BY created_at, user_id LIMIT 1`
  return findRow(store, 'members', { organization_id: organizationId, role: 'owner' }, first)
}

/** Finds the user with an e-mail address, in upper or lower case. */
export async function findUserByEmail(store: Store, email: string): Promise<User | undefined> {
  const [user] = await rowsOf<User>(store)`
    SELECT * FROM users WHERE lower(email) = lower(${email}) AND email <> ${unknownEmail}`
  // PostgreSQL and JavaScript disagree on the lower case of some letters; limits on tries count by that of JavaScript.
  return user?.email.toLowerCase() === email.toLowerCase() ? user : undefined
}

/** Lists what a user may do in each organization, the one that they joined first before the others. */
export function membershipsOf(store: Store, userId: string): Promise<Member[]> {
  return findRows(store, 'members', { user_id: userId }, sql`ORDER BY created_at, organization_id`)
}

/** Whether any user has a password. */
export async function hasPasswords(store: Store): Promise<boolean> {
  const rows = await rowsOf(store)`SELECT FROM users WHERE password_hash IS NOT NULL LIMIT 1`
  return rows.length > 0
}
