import { roles, roleScopes, type Rights } from '../../../contract/accounts/roles.ts'
import { Member } from '../../../contract/accounts/member.ts'
import type { Caller } from '../../auth/caller.ts'
import {
  assertCoversRole,
  assertOwnerRemains,
  assertSameRole,
  assertValidRole,
  assertWholeOrganization,
} from '../../auth/member-rules.ts'
import { notFound } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { demoteLinkedOwner } from '../../store/accounts/credentials.ts'
import {
  deleteInvitesBy,
  deleteMember,
  listMembers as memberRows,
  lockMembers,
  type MemberRow,
} from '../../store/accounts/members.ts'
import type { Member as MemberOnly } from '../../store/accounts/users.ts'
import { audit } from '../../store/audit/audit-entries.ts'
import { inTransaction, type Store, type StoreTransaction } from '../../store/schema/database.ts'
import { updateRows } from '../../store/schema/rows.ts'
import { changedValues } from '../audit/audit-call.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'

/** Lists the members of the organization, the first who joined first. */
export const listMembers: Handler<'listMembers'> = async ({ services, caller }) => {
  assertWholeOrganization(caller)
  return (await memberRows(services.store, caller.organizationId)).map(showMember)
}

/** Lists the roles, the most powerful first. */
export const listRoles: Handler<'listRoles'> = () =>
  Promise.resolve(roles.map((role) => ({ role, scopes: [...roleScopes[role]] })))

/** Changes what a member may do. Invites that they created end, unless they become an owner. */
export const changeMember: Handler<'changeMember'> = async ({ services, caller, projects, member, body }) =>
  changingMember(services, caller, member, async (transaction, members, before) => {
    const { role = before.role, project_roles = before.project_roles } = body
    const after = { role, project_roles }
    assertCoversRole(caller, after, 'give')
    assertValidRole(after, projects)
    assertOwnerRemains(members, before.user_id, after)
    const { organization_id, user_id } = before
    const stored = { role, project_roles: project_roles && JSON.stringify(project_roles) }
    await updateRows(transaction, 'members', { organization_id, user_id }, stored)
    if (role === 'owner') return after
    await deleteInvitesBy(transaction, before)
    const ended = before.role === 'owner' && (await demoteLinkedOwner(transaction, before))
    if (ended) {
      const at = new Date(services.clock.now())
      const object = { id: user_id, name: before.first_name || before.email }
      await audit(transaction, {
        organizationId: organization_id,
        action: 'member.updated',
        at,
        object,
        after: ended,
      })
    }
    return after
  })

/** Removes a member, whose sessions and personal keys end at once; keys of the organization stay. */
export const removeMember: Handler<'removeMember'> = async ({ services, caller, client, member }) => {
  await changingMember(services, caller, member, async (transaction, members, before) => {
    assertOwnerRemains(members, before.user_id, null)
    await deleteMember(transaction, before)
    return null
  })
  if (caller.session?.user_id === member.user_id) client.setToken(null)
  return null
}

/**
 * Changes a member while no other request does, with an entry in the audit log. `change` returns what the member may do then;
 * null if they are none.
 */
async function changingMember(
  { store, clock }: Services,
  caller: Caller,
  { user_id }: MemberOnly,
  change: (
    transaction: StoreTransaction,
    members: readonly MemberOnly[],
    before: MemberRow,
  ) => Promise<Rights | null>,
): Promise<Member> {
  const { organizationId } = caller
  return inTransaction(store, async (transaction) => {
    const members = await lockMembers(transaction, organizationId)
    assertSameRole(caller, members)
    const shown = await memberRow(transaction, organizationId, user_id)
    assertCoversRole(caller, shown, 'change')
    const after = await change(transaction, members, shown)
    await audit(transaction, {
      organizationId,
      action: after ? 'member.role_changed' : 'member.removed',
      at: new Date(clock.now()),
      object: { id: user_id, name: shown.first_name || shown.email },
      ...changedValues(rolesOf(shown), after ? rolesOf(after) : {}),
    })
    return showMember({ ...shown, ...after })
  })
}

function rolesOf({ role, project_roles }: Rights) {
  return { role, project_roles }
}

/** @throws ApiError 404 if another request has removed the member */
async function memberRow(store: Store, organizationId: string, userId: string): Promise<MemberRow> {
  const [row] = await memberRows(store, organizationId, userId)
  if (!row) throw notFound()
  return row
}

function showMember(row: MemberRow): Member {
  return shownAs(Member, { ...row, id: row.user_id, joined_at: row.created_at })
}
