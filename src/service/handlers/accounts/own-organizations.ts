import { memberName } from '../../../contract/accounts/member-name.ts'
import { canSwitch, personsSession } from '../../auth/caller.ts'
import { assertOwnerRemains } from '../../auth/member-rules.ts'
import { notFound, permissionDenied } from '../../problems/api-error.ts'
import { deleteMember, listMembers, lockMembers } from '../../store/accounts/members.ts'
import { moveSession, organizationsOf } from '../../store/accounts/organizations.ts'
import type { Member } from '../../store/accounts/users.ts'
import { audit } from '../../store/audit/audit-entries.ts'
import { inTransaction } from '../../store/schema/database.ts'
import type { Handler } from '../handler.ts'
import { showSession } from './sessions.ts'

/** Moves the session to another organization of the user, whose audit log records that as a sign-in. */
export const switchOrganization: Handler<'switchOrganization'> = async ({ services, caller, body }) => {
  const session = personsSession(caller)
  const { organization_id } = body
  if (organization_id === caller.organizationId) return showSession(session, session.id)
  const own = await organizationsOf(services.store, caller.userId)
  if (!own.some(({ id }) => id === organization_id)) throw noAccess()
  if (!canSwitch(caller))
    throw permissionDenied(
      'You are signed in by a provider of this organization. Sign in with a password to work in another one.',
    )
  const at = new Date(services.clock.now())
  await inTransaction(services.store, async (transaction) => {
    if (!(await moveSession(transaction, session, organization_id, at))) throw noAccess()
    await audit(transaction, {
      organizationId: organization_id,
      action: 'sign_in.succeeded',
      at,
      object: { id: session.id, name: session.device },
      after: { method: session.method, switched: true },
    })
  })
  return showSession({ ...session, organization_id }, session.id)
}

/**
 * Removes the user from the organization, as `removeMember` does; the current session moves to another organization of theirs,
 * or ends. @throws ApiError 409 if they are the last owner
 */
export const leaveOrganization: Handler<'leaveOrganization'> = async ({ services, caller, client }) => {
  const session = personsSession(caller)
  const { organizationId, userId } = caller
  const at = new Date(services.clock.now())
  const isMoved = await inTransaction(services.store, async (transaction) => {
    const own = canSwitch(caller) ? await organizationsOf(transaction, userId) : []
    const next = own.find(({ id }) => id !== organizationId)
    const locked: Member[] = []
    // In one order, so that two such requests do not wait for each other.
    for (const id of [organizationId, ...(next ? [next.id] : [])].sort())
      locked.push(...(await lockMembers(transaction, id)))
    const members = locked.filter(({ organization_id: id }) => id === organizationId)
    assertOwnerRemains(members, userId, null)
    const [member] = await listMembers(transaction, organizationId, userId)
    if (!member) throw notFound()
    const moved = next !== undefined && (await moveSession(transaction, session, next.id, at))
    await deleteMember(transaction, { organization_id: organizationId, user_id: userId })
    const { role, project_roles } = member
    await audit(transaction, {
      organizationId,
      action: 'member.removed',
      at,
      object: { id: userId, name: memberName(member) },
      before: { role, project_roles },
    })
    return moved
  })
  if (!isMoved) client.setToken(null)
  return null
}

function noAccess() {
  return permissionDenied("You don't have access to the organization.")
}
