import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { BodyInput } from '../../contract/endpoints.ts'
import { call } from '../api/call.ts'
import { userQuery } from './account.ts'
import { endpointQuery, invalidate } from './endpoint-query.ts'
import { useChange } from './use-change.ts'

export const sessionsQuery = endpointQuery('listSessions', {})

export function useEndSession() {
  return useChange((id: string) => call('deleteSession', { params: { id } }), ['listSessions'])
}

/** Ends all sessions of the user but the current one. */
export function useEndOtherSessions() {
  return useChange(() => call('deleteSessions', {}), ['listSessions'])
}

/** Changes the user's name, address or password; a new password ends the other sessions. */
export function useChangeUser() {
  const client = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: (body: BodyInput<'changeUser'>) => call('changeUser', { body }),
    async onSuccess(user) {
      client.setQueryData(userQuery.queryKey, user)
      // Pages take the user from their route's context.
      await Promise.all([router.invalidate(), invalidate(client, 'listSessions', 'signInOptions')])
    },
  })
}
