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

/** Finds the user whom an e-mail address, in upper or lower case, means in the whole installation. */
export async function findUserByEmail(store: Store, email: string): Promise<User | undefined> {
  const [user] = await rowsOf<User>(store)`
    SELECT * FROM users WHERE ${haveEmail(email)} AND organization_id IS NULL`
  return user && isSameEmail(user, email) ? user : undefined
}

/** Finds the member with an e-mail address, by default in the organization that the user joined first. */
export async function findMemberByEmail(
  store: Store,
  email: string,
  organizationId: string | null = null,
): Promise<(Member & Pick<User, 'email' | 'first_name'>) | undefined> {
  const [member] = await rowsOf<Member & Pick<User, 'email' | 'first_name'>>(store)`
    SELECT members.*, email, first_name FROM members JOIN users ON users.id = user_id
    WHERE ${haveEmail(email)} AND (${organizationId}::uuid IS NULL OR members.organization_id = ${organizationId})
    ORDER BY users.organization_id NULLS FIRST, members.created_at, members.organization_id LIMIT 1`
  return member && isSameEmail(member, email) ? member : undefined
}

/** Finds who else an e-mail address means: another user of the installation, or another member of the organization. */
export async function findOtherByEmail(
  store: Store,
  email: string,
  { user_id, organization_id }: Pick<Member, 'user_id' | 'organization_id'>,
): Promise<Pick<User, 'email'> | undefined> {
  const user = await findUserByEmail(store, email)
  if (user && user.id !== user_id) return user
  const member = await findMemberByEmail(store, email, organization_id)
  return member && member.user_id !== user_id ? member : undefined
}

/** Whether an organization removed a member with an e-mail address, and nobody with it has joined since. */
export async function isRemovedMember(store: Store, email: string, organizationId: string): Promise<boolean> {
  const rows = await rowsOf<Pick<User, 'email'>>(store)`
    SELECT email FROM removed_members removed JOIN users ON users.id = user_id
    WHERE ${haveEmail(email)} AND removed.organization_id = ${organizationId}`
  return rows.some((user) => isSameEmail(user, email))
}

function haveEmail(email: string) {
  return sql`lower(email) = lower(${email}) AND email <> ${unknownEmail}`
}

/** PostgreSQL and JavaScript disagree on the lower case of some letters; limits on tries count by that of JavaScript. */
function isSameEmail(user: Pick<User, 'email'>, email: string): boolean {
  return user.email.toLowerCase() === email.toLowerCase()
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
