import { sql } from 'kysely'
import { rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import { findRow, updateRows } from '../schema/rows.ts'
import type { Session } from './sessions.ts'

/** Finds the organization that was created first. */
export function firstOrganization(store: Store) {
  return findRow(store, 'organizations', {}, sql`ORDER BY created_at, id LIMIT 1`)
}

/** An organization of a user, with the ids of the projects that they can access there. */
export type OwnOrganization = { id: string; name: string; project_ids: number[] }

/** Lists the organizations of a user, the one chosen last first, then the one that they joined first. */
export async function organizationsOf(store: Store, userId: string): Promise<OwnOrganization[]> {
  return await rowsOf<OwnOrganization>(store)`
    SELECT organizations.id, organizations.name, array(
      SELECT id FROM projects WHERE projects.organization_id = organizations.id
        AND (project_roles IS NULL OR jsonb_exists(project_roles, id::text)) ORDER BY id) AS project_ids
    FROM members JOIN organizations ON organizations.id = organization_id
    WHERE user_id = ${userId} ORDER BY chosen_at DESC NULLS LAST, members.created_at, organization_id`
}

/**
 * Moves a session to another organization of its user, who begins there at the next sign-in as well. Returns whether they are
 * still a member.
 */
export async function moveSession(
  store: StoreTransaction,
  { id, user_id }: Pick<Session, 'id' | 'user_id'>,
  organizationId: string,
  at: Date,
): Promise<boolean> {
  const chosen = await sql`UPDATE members SET chosen_at = ${at}
    WHERE organization_id = ${organizationId} AND user_id = ${user_id}`.execute(store)
  if (chosen.numAffectedRows !== 1n) return false
  await updateRows(store, 'sessions', { id }, { organization_id: organizationId })
  return true
}
