import { sql, type Selectable } from 'kysely'
import { roles, roleScopes } from '../../../contract/accounts/roles.ts'
import { allowsScope, type Scope } from '../../../contract/accounts/scopes.ts'
import type { Project } from '../accounts/projects.ts'
import { rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import type { TriageKind, TriageTables } from '../schema/triage-tables.ts'

/** A member to whom something of a project can be assigned; `name` is the address of someone without a name. */
export type AssignableMember = { uuid: string; name: string; email: string }

export type TriageRow = Selectable<TriageTables['triage']> & {
  /** Null if nobody, or someone who can no longer read the kind in the project, works on it. */
  member: AssignableMember | null
}

const readScopes: Record<TriageKind, Scope> = {
  error: 'session_recording:read',
  problem: 'batch_export:read',
}

/** Selects the members who can read a kind in a project. */
function readersOf(project: Pick<Project, 'id' | 'organization_id'>, kind: TriageKind) {
  const readers = roles.filter((role) => allowsScope(roleScopes[role], readScopes[kind]))
  return sql`SELECT user_id AS uuid, coalesce(nullif(first_name, ''), email) AS name, email
    FROM members JOIN users ON users.id = user_id
    WHERE members.organization_id = ${project.organization_id}
      AND CASE WHEN project_roles IS NULL THEN role ELSE project_roles ->> ${String(project.id)} END = ANY (${readers})`
}

/** Returns the members to whom a kind can be assigned in a project, by name. */
export async function assignableMembers(store: Store, project: Project, kind: TriageKind) {
  return await rowsOf<AssignableMember>(store)`
    SELECT * FROM (${readersOf(project, kind)}) AS reader ORDER BY lower(name), email`
}

/** Whether a kind can be assigned to someone, who stays a member until the transaction ends. */
export async function lockAssignable(
  transaction: StoreTransaction,
  project: Project,
  kind: TriageKind,
  userId: string,
): Promise<boolean> {
  const rows = await rowsOf(transaction)`${readersOf(project, kind)} AND user_id = ${userId}
    FOR KEY SHARE OF members`
  return rows.length > 0
}

/** Returns what someone has assigned or whose state someone has set, by key: all of a kind in a project, or only these. */
export async function triageOf(store: Store, project: Project, kind: TriageKind, keys?: readonly string[]) {
  const rows = await rowsOf<TriageRow>(store)`
    SELECT triage.*, to_jsonb(reader) AS member
    FROM triage LEFT JOIN (${readersOf(project, kind)}) AS reader ON uuid = assignee
    WHERE project_id = ${project.id} AND kind = ${kind} AND ${keys ? sql`key = ANY (${keys})` : sql`true`}`
  return new Map(rows.map((row) => [row.key, row]))
}

/** Creates missing rows and locks all until the transaction ends, so that changes at the same time follow each other. */
export async function lockTriage(
  transaction: StoreTransaction,
  project: Project,
  kind: TriageKind,
  keys: readonly string[],
): Promise<void> {
  // In one order, so that two transactions do not wait for each other.
  await sql`INSERT INTO triage (project_id, organization_id, kind, key)
    SELECT ${project.id}, ${project.organization_id}, ${kind}, key FROM unnest(${keys}::text[]) AS given (key) ORDER BY key
    ON CONFLICT (project_id, kind, key) DO UPDATE SET kind = excluded.kind`.execute(transaction)
}
