import { useState } from 'react'
import type { Invite } from '../../contract/accounts/member.ts'
import { useAccount } from '../account.ts'
import { useDeleteInvite } from '../queries/members.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Button } from '../ui/controls/button.tsx'
import { toast } from '../ui/feedback/toasts.ts'
import { Table, type Column } from '../ui/list/data-table.tsx'
import { actionsColumn } from '../ui/list/list-column.ts'
import { RelativeTime } from '../ui/time.tsx'
import { manageReason, projectsInWords, roleLabels } from './role-words.ts'

/** Lists the invites that can be accepted. */
export function InviteTable({ rows }: { rows: readonly Invite[] }) {
  return (
    <Table caption="Pending invites, newest first" columns={columns} rows={rows} rowKey={({ id }) => id} />
  )
}

const columns: readonly Column<Invite>[] = [
  { header: 'For', fills: true, cell: (row) => <Invited row={row} /> },
  { header: 'Role', hiddenBelow: 'sm', cell: ({ role }) => roleLabels[role] },
  { header: 'Projects', hiddenBelow: 'md', wraps: true, cell: (row) => <Projects row={row} /> },
  { header: 'Invited by', hiddenBelow: 'lg', wraps: true, cell: (row) => row.created_by },
  { header: 'Expires', hiddenBelow: 'sm', cell: (row) => <RelativeTime time={row.expires_at} /> },
  { ...actionsColumn, cell: (row) => <RevokeButton row={row} /> },
]

type RowProps = { row: Invite }

function Invited({ row }: RowProps) {
  return (
    <div className="wrap-anywhere">
      {row.email ?? 'Anyone with the link'}
      <p className="text-xs text-ink-3 sm:hidden">
        {roleLabels[row.role]}, expires <RelativeTime time={row.expires_at} />
      </p>
    </div>
  )
}

function Projects({ row }: RowProps) {
  const { projects } = useAccount()
  return projectsInWords(row, projects)
}

function RevokeButton({ row }: RowProps) {
  const { user } = useAccount()
  const [confirming, setConfirming] = useState(false)
  const revoke = useDeleteInvite()
  const close = () => setConfirming(false)
  const confirm = () =>
    revoke.mutate(row.id, {
      onSuccess: () => {
        toast('Revoked the invite.')
        close()
      },
    })
  return (
    <>
      <Button
        look="quiet"
        reason={manageReason(user.scopes)}
        aria-label={`Revoke the invite for ${row.email ?? 'anyone with the link'}`}
        onClick={() => setConfirming(true)}
      >
        Revoke
      </Button>
      {confirming && (
        <ConfirmDialog
          title="Revoke the invite?"
          action="Revoke"
          busy={revoke.isPending}
          error={revoke.error}
          onConfirm={confirm}
          onClose={close}
        >
          Its link stops working. You can create another one.
        </ConfirmDialog>
      )}
    </>
  )
}
