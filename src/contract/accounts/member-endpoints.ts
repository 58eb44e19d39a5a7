import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import {
  CreatedInvite,
  InspectedInvite,
  Invite,
  InviteAccept,
  InviteCreate,
  InviteToken,
  Member,
  MemberUpdate,
  RoleWithScopes,
} from './member.ts'
import { Session } from './session.ts'

const organization = 'organization_id'
const members = '/api/organizations/:organization_id/members/'
const invites = '/api/organizations/:organization_id/invites/'

/** The endpoints of the members of an organization, and of the invites with which people join it. */
// prettier-ignore
export const memberEndpoints = {
  listMembers:   { method: 'GET',    path: members,                loads: { organization }, scope: 'organization_member:read', status: 200, response: z.array(Member), summary: 'List the members of an organization' },
  changeMember:  { method: 'PATCH',  path: `${members}:user_id/`,  loads: { organization, member: 'user_id' }, scope: 'organization_member:write', confirm: true, body: MemberUpdate, status: 200, response: Member, summary: 'Change the role of a member' },
  removeMember:  { method: 'DELETE', path: `${members}:user_id/`,  loads: { organization, member: 'user_id' }, scope: 'organization_member:write', confirm: true, status: 204, response: z.null(), summary: 'Remove a member: their sessions and personal keys end' },
  leaveOrganization: { method: 'DELETE', path: `${members}@me/`, loads: { organization }, scope: null, confirm: true, status: 204, response: z.null(), summary: 'Leave an organization: the sessions and personal keys of the user end there' },
  listRoles:     { method: 'GET',    path: '/api/organizations/:organization_id/roles/', loads: { organization }, scope: 'organization_member:read', status: 200, response: z.array(RoleWithScopes), summary: 'List the roles, and what each lets members do' },
  listInvites:   { method: 'GET',    path: invites,                loads: { organization }, scope: 'organization_member:read', status: 200, response: z.array(Invite), summary: 'List the invites that can be accepted' },
  createInvite:  { method: 'POST',   path: invites,                loads: { organization }, scope: 'organization_member:write', confirm: true, body: InviteCreate, status: 201, response: CreatedInvite, summary: 'Create a link with which a person joins the organization once' },
  deleteInvite:  { method: 'DELETE', path: `${invites}:id/`,       loads: { organization, invite: 'id' }, scope: 'organization_member:write', status: 204, response: z.null(), summary: 'Revoke an invite' },
  sendInvite:    { method: 'POST',   path: `${invites}:id/send/`,  loads: { organization, invite: 'id' }, scope: 'organization_member:write', status: 200, response: Invite, summary: 'Send the link of an invite to its address again' },
  inspectInvite: { method: 'POST',   path: '/api/invites/inspect/', scope: null, open: true, body: InviteToken, status: 200, response: InspectedInvite, summary: 'Show what an invite offers' },
  acceptInvite:  { method: 'POST',   path: '/api/invites/accept/', scope: null, open: true, body: InviteAccept, status: 201, response: Session, summary: 'Accept an invite with a new or an existing account, and sign in' },
  joinByInvite:  { method: 'POST',   path: '/api/invites/join/',   scope: null, body: InviteToken, status: 201, response: Session, summary: 'Accept an invite as the person who is signed in' },
} as const satisfies Record<string, Endpoint>
