import type { BodyInput } from '../../contract/endpoints.ts'
import { call } from '../api/call.ts'
import { endpointQuery } from './endpoint-query.ts'
import { useChange } from './use-change.ts'

const organization = { organization_id: '@current' }
const changed = ['listIdentityProviders', 'signInOptions'] as const

export const identityProvidersQuery = endpointQuery('listIdentityProviders', { params: organization })

export function useCreateProvider() {
  return useChange(
    (body: BodyInput<'createIdentityProvider'>) =>
      call('createIdentityProvider', { params: organization, body }),
    changed,
  )
}

type Change = { id: string; body: BodyInput<'updateIdentityProvider'> }

export function useUpdateProvider() {
  return useChange(
    ({ id, body }: Change) => call('updateIdentityProvider', { params: { ...organization, id }, body }),
    changed,
  )
}

export function useDeleteProvider() {
  return useChange(
    (id: string) => call('deleteIdentityProvider', { params: { ...organization, id } }),
    changed,
  )
}

/** Asks a provider for its settings whenever it is shown. */
export function providerTestQuery(id: string) {
  return {
    ...endpointQuery('testIdentityProvider', { params: { ...organization, id } }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  }
}
