import type { PersonalApiKey } from '../../contract/accounts/api-key.ts'
import { useAccount } from '../account.ts'
import { useRevokeApiKey } from '../queries/api-keys.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { toast } from '../ui/feedback/toasts.ts'

export function RevokeKey({ apiKey, onClose }: { apiKey: PersonalApiKey; onClose: () => void }) {
  const account = useAccount()
  const revoke = useRevokeApiKey()
  const isOwn = apiKey.id === account.apiKey.id
  const confirm = () =>
    revoke.mutate(apiKey.id, {
      onSuccess: () => {
        toast(`Revoked ${apiKey.label}.`)
        onClose()
      },
    })
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.label}?`}
      action="Revoke"
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      Clients that use this key lose access immediately.{' '}
      {isOwn && <strong>You are signed in with this key: you will be signed out.</strong>}
    </ConfirmDialog>
  )
}
