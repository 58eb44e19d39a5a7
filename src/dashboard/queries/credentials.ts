import { call } from '../api/call.ts'
import { addPasskey } from '../api/passkey.ts'
import { endpointQuery } from './endpoint-query.ts'
import { useChange } from './use-change.ts'

export const secondFactorQuery = endpointQuery('getSecondFactor', {})
export const passkeysQuery = endpointQuery('listPasskeys', {})

/** What the service tells about the second factor, and about the user whom it asks to confirm their identity. */
const factorEndpoints = ['getSecondFactor', 'getUser'] as const
const passkeyEndpoints = ['listPasskeys', 'getUser', 'signInOptions'] as const

export function useBeginSecondFactor() {
  return useChange(() => call('beginSecondFactor', {}), [])
}

export function useFinishSecondFactor() {
  return useChange((code: string) => call('finishSecondFactor', { body: { code } }), factorEndpoints)
}

export function useReplaceRecoveryCodes() {
  return useChange(() => call('replaceRecoveryCodes', {}), factorEndpoints)
}

export function useDeleteSecondFactor() {
  return useChange(() => call('deleteSecondFactor', {}), factorEndpoints)
}

export function useAddPasskey() {
  return useChange(addPasskey, passkeyEndpoints)
}

export function useRenamePasskey() {
  return useChange(
    ({ id, name }: { id: string; name: string }) => call('updatePasskey', { params: { id }, body: { name } }),
    passkeyEndpoints,
  )
}

export function useRemovePasskey() {
  return useChange((id: string) => call('deletePasskey', { params: { id } }), passkeyEndpoints)
}
