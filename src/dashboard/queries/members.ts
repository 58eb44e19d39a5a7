import type { BodyInput } from '../../contract/endpoints.ts'
import { call } from '../api/call.ts'
import { endpointQuery } from './endpoint-query.ts'
import { useChange } from './use-change.ts'

const organization = { organization_id: '@current' }

/** The members of the organization. */
export const membersQuery = endpointQuery('listMembers', { params: organization })

/** The invites that can be accepted. */
export const invitesQuery = endpointQuery('listInvites', { params: organization })

type MemberChange = { id: string; body: BodyInput<'changeMember'> }

export function useChangeMember() {
  return useChange(
    ({ id, body }: MemberChange) => call('changeMember', { params: { ...organization, user_id: id }, body }),
    ['listMembers', 'listInvites'],
  )
}

export function useRemoveMember() {
  return useChange(
    (id: string) => call('removeMember', { params: { ...organization, user_id: id } }),
    ['listMembers', 'listInvites'],
    'onSuccess',
  )
}

export function useCreateInvite() {
  return useChange(
    (body: BodyInput<'createInvite'>) => call('createInvite', { params: organization, body }),
    ['listInvites'],
  )
}

export function useDeleteInvite() {
  return useChange(
    (id: string) => call('deleteInvite', { params: { ...organization, id } }),
    ['listInvites'],
    'onSuccess',
  )
}

/** What an invite offers. */
export function inspectedInviteQuery(token: string) {
  return endpointQuery('inspectInvite', { body: { token } })
}
