import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PersonalApiKeyCreate } from '../../contract/accounts/api-key.ts'
import { call } from '../api/call.ts'
import { endpointQuery, invalidate } from './endpoint-query.ts'

export const apiKeysQuery = endpointQuery('listPersonalApiKeys', {})

export function useCreateApiKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: PersonalApiKeyCreate) => call('createPersonalApiKey', { body }),
    onSuccess: () => invalidate(client, 'listPersonalApiKeys'),
  })
}

export function useRevokeApiKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call('deletePersonalApiKey', { params: { id } }),
    onSuccess: () => invalidate(client, 'listPersonalApiKeys'),
  })
}
