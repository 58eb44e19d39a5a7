import { useMutation } from '@tanstack/react-query'
import type { BodyInput } from '../../contract/endpoints.ts'
import { call } from '../api/call.ts'
import { useChange } from './use-change.ts'

/** Has a link sent with which the user of an address sets a new password. */
export function useRequestPasswordReset() {
  return useMutation({ mutationFn: (email: string) => call('requestPasswordReset', { body: { email } }) })
}

/** Sets a new password with such a link; all sessions end. */
export function useResetPassword() {
  return useMutation({ mutationFn: (body: BodyInput<'resetPassword'>) => call('resetPassword', { body }) })
}

/** Confirms a new address with the link sent to it. */
export function useConfirmEmail() {
  return useChange((token: string) => call('confirmEmail', { body: { token } }), ['getUser'], 'onSuccess')
}
