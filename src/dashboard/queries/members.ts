import type { BodyInput, ResponseOf } from '../../contract/endpoints.ts'
import { call } from '../api/call.ts'
import { endpointQuery } from './endpoint-query.ts'
import { live, paceOf } from './live.ts'
import { useChange } from './use-change.ts'

const organization = { organization_id: '@current' }

/** The members of the organization. */
export const membersQuery = endpointQuery('listMembers', { params: organization })

/** The invites that can be accepted. */
export const invitesQuery = {
  ...endpointQuery('listInvites', { params: organization }),
  ...live((invites: ResponseOf<'listInvites'>) =>
    paceOf(invites.some(({ mail }) => mail?.status === 'waiting')),
  ),
}

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

/** Sends the link of an invite to its address again. */
export function useSendInvite() {
  return useChange((id: string) => call('sendInvite', { params: { ...organization, id } }), ['listInvites'])
}

/** What an invite offers. */
export function inspectedInviteQuery(token: string) {
  return endpointQuery('inspectInvite', { body: { token } })
}
