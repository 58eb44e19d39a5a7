import { sql, type Selectable } from 'kysely'
import { roles, roleScopes } from '../../../contract/accounts/roles.ts'
import { allowsScope, type Scope } from '../../../contract/accounts/scopes.ts'
import type { InvitesTable } from '../schema/account-tables.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import { deleteRows, findRows } from '../schema/rows.ts'
import type { Project } from './projects.ts'
import type { Member, User } from './users.ts'

export type InviteRow = Selectable<InvitesTable>
export type MemberRow = Member & Pick<User, 'email' | 'first_name'> & { last_seen_at: Date | null }

/** Lists the members of an organization, or one of them, the first who joined first. */
export async function listMembers(
  store: Store,
  organizationId: string,
  userId: string | null = null,
): Promise<MemberRow[]> {
  return await rowsOf<MemberRow>(store)`
    SELECT members.*, email, first_name, (SELECT max(last_used_at) FROM (
        SELECT last_used_at, organization_id, user_id FROM sessions
        UNION ALL SELECT last_used_at, organization_id, user_id FROM api_keys WHERE NOT is_service) AS used
      WHERE used.organization_id = members.organization_id AND used.user_id = members.user_id) AS last_seen_at
    FROM members JOIN users ON users.id = user_id
    WHERE members.organization_id = ${organizationId} AND (${userId}::uuid IS NULL OR user_id = ${userId})
    ORDER BY members.created_at, user_id`
}

/** A member; `name` is the address of someone without a name. */
export type NamedMember = { uuid: string; name: string; email: string }
type ProjectOf = Pick<Project, 'id' | 'organization_id'>

/** Selects the members whose role in a project has a scope. */
export function selectMembersWithScope(project: ProjectOf, scope: Scope) {
  const allowed = roles.filter((role) => allowsScope(roleScopes[role], scope))
  return sql`SELECT user_id AS uuid, coalesce(nullif(first_name, ''), email) AS name, email
    FROM members JOIN users ON users.id = user_id
    WHERE members.organization_id = ${project.organization_id}
      AND CASE WHEN project_roles IS NULL THEN role ELSE project_roles ->> ${String(project.id)} END = ANY (${allowed})`
}

/** Returns the members whose role in a project has a scope, by name. */
export async function membersWithScope(
  store: Store,
  project: ProjectOf,
  scope: Scope,
): Promise<NamedMember[]> {
  return await rowsOf<NamedMember>(store)`
    SELECT * FROM (${selectMembersWithScope(project, scope)}) AS member ORDER BY lower(name), email`
}

/** Adds the address to names that several have. */
export function uniqueNames<Named extends { name: string; email: string }>(named: Named[]): Named[] {
  const times = Map.groupBy(named, (row) => row.name)
  return named.map((row) =>
    times.get(row.name)?.length === 1 ? row : { ...row, name: `${row.name} (${row.email})` },
  )
}

/** Returns the members of an organization, who do not change until the transaction ends. */
export function lockMembers(store: Store, organizationId: string): Promise<Member[]> {
  // In one order, so that two transactions do not wait for each other.
  return findRows(store, 'members', { organization_id: organizationId }, sql`ORDER BY user_id FOR UPDATE`)
}

/**
 * Deletes what ends with a membership: personal keys, links and invites; sessions end with the row of the member. The address of
 * someone who is no member anywhere is free for a new account.
 */
export async function deleteMember(
  store: Store,
  { organization_id, user_id }: Pick<Member, 'organization_id' | 'user_id'>,
): Promise<void> {
  const ofMember = sql`organization_id = ${organization_id} AND user_id = ${user_id}`
  await sql`DELETE FROM api_keys WHERE ${ofMember} AND NOT is_service`.execute(store)
  await sql`DELETE FROM user_tokens WHERE ${ofMember}`.execute(store)
  await deleteInvitesBy(store, { organization_id, user_id })
  await sql`DELETE FROM members WHERE ${ofMember}`.execute(store)
  await sql`INSERT INTO removed_members VALUES (${organization_id}, ${user_id}) ON CONFLICT DO NOTHING`.execute(
    store,
  )
  await sql`UPDATE users SET organization_id = ${organization_id} WHERE id = ${user_id} AND organization_id IS NULL
    AND NOT EXISTS (SELECT FROM members WHERE user_id = users.id)`.execute(store)
}

/** Deletes the invites that a member created, who would otherwise give away rights that they no longer have. */
export async function deleteInvitesBy(
  store: Store,
  { organization_id, user_id }: Pick<Member, 'organization_id' | 'user_id'>,
): Promise<void> {
  await sql`DELETE FROM invites WHERE organization_id = ${organization_id} AND created_by = ${user_id}`.execute(
    store,
  )
}

/** Adds a member; returns whether they were none yet. */
export async function addMember(store: Store, member: Omit<Member, 'chosen_at'>): Promise<boolean> {
  const { organization_id, user_id, project_roles } = member
  await deleteRows(store, 'removed_members', { organization_id, user_id })
  const { numInsertedOrUpdatedRows } = await store
    .insertInto('members')
    .values({ ...member, project_roles: project_roles && JSON.stringify(project_roles) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** The last e-mail with an invite; all null if there is none. */
export type MailState = {
  mail_status: 'waiting' | 'sent' | 'failed' | null
  mail_at: Date | null
  mail_error: string | null
}
export type ListedInvite = InviteRow & MailState & { creator: string }

/** Lists the invites of an organization that can be accepted, newest first, with their creators and the last e-mail of each. */
export async function listInvites(store: Store, organizationId: string, now: Date): Promise<ListedInvite[]> {
  return await rowsOf<ListedInvite>(store)`
    SELECT invites.*, coalesce(nullif(first_name, ''), users.email) AS creator, mail.*
    FROM invites JOIN users ON users.id = created_by LEFT JOIN LATERAL (
      SELECT coalesce(sent_at, created_at) AS mail_at, error AS mail_error, CASE WHEN sent_at IS NOT NULL THEN 'sent'
        WHEN next_attempt_at IS NULL THEN 'failed' ELSE 'waiting' END AS mail_status
      FROM mails WHERE invite_id = invites.id ORDER BY created_at DESC, mails.id DESC LIMIT 1) mail ON true
    WHERE invites.organization_id = ${organizationId} AND expires_at > ${now} ORDER BY invites.created_at DESC, invites.id`
}

/** Finds an invite that can be accepted, with the name of its organization. */
export async function findInvite(store: Store, hash: Buffer, now: Date) {
  const [invite] = await rowsOf<InviteRow & { organization: string }>(store)`
    SELECT invites.*, organizations.name AS organization
    FROM invites JOIN organizations ON organizations.id = organization_id WHERE hash = ${hash} AND expires_at > ${now}`
  return invite
}

/** Deletes an invite and returns whether it existed; of several requests that accept it, one does. */
export async function takeInvite(store: Store, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`DELETE FROM invites WHERE id = ${id}`.execute(store)
  return numAffectedRows === 1n
}

export async function deleteExpiredInvites(store: Store, now: Date): Promise<void> {
  await sql`DELETE FROM invites WHERE expires_at <= ${now}`.execute(store)
}
