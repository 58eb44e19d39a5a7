import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allowsScope } from '../../contract/accounts/scopes.ts'
import { useAccount } from '../account.ts'
import { membersQuery } from '../queries/members.ts'
import { useLeaveOrganization } from '../queries/organizations.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Button, type ButtonLook } from '../ui/controls/button.tsx'
import { lastOwnerReason } from './role-words.ts'

/** Lets the user leave the organization, after they have confirmed it. */
export function LeaveButton({ look = 'plain' }: { look?: ButtonLook }) {
  const { user } = useAccount()
  const [isAsked, setIsAsked] = useState(false)
  return (
    <>
      <Button
        look={look}
        reason={useLeaveReason()}
        aria-label={`Leave ${user.organization.name}`}
        onClick={() => setIsAsked(true)}
      >
        Leave
      </Button>
      {isAsked && <LeaveDialog onClose={() => setIsAsked(false)} />}
    </>
  )
}

/** Returns why the user cannot leave; null if they can. */
function useLeaveReason(): string | null {
  const { user } = useAccount()
  const isReader = allowsScope(user.scopes, 'organization_member:read')
  const { data: members = [] } = useQuery({ ...membersQuery, enabled: isReader && user.all_teams })
  const own = members.find(({ id }) => id === user.uuid)
  const reason = own ? lastOwnerReason(own, members) : null
  if (reason !== null) return reason
  return user.key ? 'You are signed in with an API key: sign in without one to leave.' : null
}

function LeaveDialog({ onClose }: { onClose: () => void }) {
  const { user } = useAccount()
  const leave = useLeaveOrganization()
  const next = user.organizations.find(({ id }) => id !== user.organization.id)
  return (
    <ConfirmDialog
      title={`Leave ${user.organization.name}?`}
      action="Leave"
      busy={leave.isPending}
      error={leave.error}
      onConfirm={() => leave.mutate()}
      onClose={onClose}
    >
      Your personal keys for it stop working at once, and your sessions in it end
      {next ? `; this one goes on in ${next.name}` : ''}. Exports and keys of the organization stay: revoke
      the keys that nobody else should know. You need a new invite to come back.
    </ConfirmDialog>
  )
}
