import { sql, type Selectable } from 'kysely'
import type { Scope } from '../../../contract/accounts/scopes.ts'
import { membersWithScope, selectMembersWithScope, type NamedMember } from '../accounts/members.ts'
import type { Project } from '../accounts/projects.ts'
import { rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import type { TriageKind, TriageTables } from '../schema/triage-tables.ts'

export type TriageRow = Selectable<TriageTables['triage']> & {
  /** Null if nobody, or someone who can no longer read the kind in the project, works on it. */
  member: NamedMember | null
}

const readScopes: Record<TriageKind, Scope> = {
  error: 'session_recording:read',
  problem: 'batch_export:read',
}

/** Returns the members to whom a kind can be assigned in a project, by name. */
export function assignableMembers(store: Store, project: Project, kind: TriageKind): Promise<NamedMember[]> {
  return membersWithScope(store, project, readScopes[kind])
}

/** Whether a kind can be assigned to someone, who stays a member until the transaction ends. */
export async function lockAssignable(
  transaction: StoreTransaction,
  project: Project,
  kind: TriageKind,
  userId: string,
): Promise<boolean> {
  const rows = await rowsOf(
    transaction,
  )`${selectMembersWithScope(project, readScopes[kind])} AND user_id = ${userId}
    FOR KEY SHARE OF members`
  return rows.length > 0
}

/** Returns what someone has assigned or whose state someone has set, by key: all of a kind in a project, or only these. */
export async function triageOf(store: Store, project: Project, kind: TriageKind, keys?: readonly string[]) {
  const rows = await rowsOf<TriageRow>(store)`
    SELECT triage.*, to_jsonb(reader) AS member
    FROM triage LEFT JOIN (${selectMembersWithScope(project, readScopes[kind])}) AS reader ON uuid = assignee
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
