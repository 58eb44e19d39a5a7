import { Invite, inviteDays } from '../../../contract/accounts/member.ts'
import {
  assertCoversRole,
  assertSameRole,
  assertValidRole,
  assertWholeOrganization,
} from '../../auth/member-rules.ts'
import { hashToken, newToken } from '../../auth/sessions.ts'
import { conflict } from '../../problems/api-error.ts'
import {
  listInvites as inviteRows,
  listMembers,
  lockMembers,
  type ListedInvite,
} from '../../store/accounts/members.ts'
import { newId } from '../../store/schema/identifier.ts'
import { deleteRows, insertRow } from '../../store/schema/rows.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'

const dayMs = 24 * 3_600_000

/** Lists the invites that can be accepted, newest first. */
export const listInvites: Handler<'listInvites'> = async ({ services: { store, clock }, caller }) => {
  assertWholeOrganization(caller)
  return (await inviteRows(store, caller.organizationId, new Date(clock.now()))).map(showInvite)
}

/** Creates an invite. No other response contains its link. */
export const createInvite: Handler<'createInvite'> = async ({ services, caller, projects, body, link }) => {
  const { store, clock } = services
  const { role, project_roles = null, email = null } = body
  assertCoversRole(caller, { role, project_roles }, 'give')
  assertValidRole({ role, project_roles }, projects)
  assertSameRole(caller, await lockMembers(store, caller.organizationId))
  const members = await listMembers(store, caller.organizationId)
  if (email !== null && members.some((member) => member.email.toLowerCase() === email.toLowerCase()))
    throw conflict(`${email} is a member already.`)
  const own = members.find((member) => member.user_id === caller.userId)
  const token = newToken()
  const now = clock.now()
  const row = await insertRow(store, 'invites', {
    id: newId(now),
    organization_id: caller.organizationId,
    hash: hashToken(token),
    email,
    role,
    project_roles: project_roles && JSON.stringify(project_roles),
    created_by: caller.userId,
    created_at: new Date(now),
    expires_at: new Date(now + inviteDays * dayMs),
  })
  const url = new URL(`/join#invite=${token}`, link({})).href
  return { ...showInvite({ ...row, creator: own?.first_name || own?.email || caller.name }), url }
}

export const deleteInvite: Handler<'deleteInvite'> = async ({ services, invite }) => {
  await deleteRows(services.store, 'invites', { id: invite.id })
  return null
}

function showInvite(row: ListedInvite): Invite {
  return shownAs(Invite, { ...row, created_by: row.creator })
}
