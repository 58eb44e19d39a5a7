import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Invite } from '../../contract/accounts/member.ts'
import { useAccount } from '../account.ts'
import { signInOptionsQuery } from '../queries/account.ts'
import { useDeleteInvite, useSendInvite } from '../queries/members.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Button } from '../ui/controls/button.tsx'
import { toast } from '../ui/feedback/toasts.ts'
import { Table, type Column } from '../ui/list/data-table.tsx'
import { actionsColumn } from '../ui/list/list-column.ts'
import { RelativeTime } from '../ui/time.tsx'
import { Who } from '../ui/who.tsx'
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
  { header: 'Invited by', hiddenBelow: 'lg', wraps: true, cell: (row) => <Who name={row.created_by} /> },
  { header: 'Expires', hiddenBelow: 'sm', cell: (row) => <RelativeTime time={row.expires_at} /> },
  {
    ...actionsColumn,
    cell: (row) => (
      <>
        {row.email !== null && <SendButton row={row} />}
        <RevokeButton row={row} />
      </>
    ),
  },
]

type RowProps = { row: Invite }

function Invited({ row }: RowProps) {
  return (
    <div className="wrap-anywhere">
      {row.email ?? 'Anyone with the link'}
      <p className="text-xs text-ink-3 sm:hidden">
        {roleLabels[row.role]}, expires <RelativeTime time={row.expires_at} />
      </p>
      {row.mail && <MailState {...row.mail} />}
    </div>
  )
}

/** Whether the e-mail with the link was sent; if not, why. */
function MailState({ status, at, error }: NonNullable<Invite['mail']>) {
  if (status === 'sent')
    return (
      <p className="text-xs text-ink-3">
        Sent <RelativeTime time={at} />
      </p>
    )
  return (
    <p className={`text-xs ${error === null ? 'text-ink-3' : 'text-fail-ink'}`}>
      {status === 'failed' ? 'Not sent' : error === null ? 'Being sent…' : 'Not sent yet'}
      {error !== null && `: ${error}`}
    </p>
  )
}

/** Sends the link to the address of the invite, where the service sends e-mails. */
function SendButton({ row }: RowProps) {
  const { user } = useAccount()
  const { data: options } = useQuery(signInOptionsQuery)
  const send = useSendInvite()
  if (!options?.sends_mail) return null
  const isWaiting = row.mail?.status === 'waiting'
  return (
    <Button
      look="quiet"
      reason={manageReason(user.scopes) ?? (isWaiting ? 'It is being sent.' : null)}
      busy={send.isPending}
      aria-label={`Send the invite for ${row.email}${row.mail ? ' again' : ''}`}
      onClick={() =>
        send.mutate(row.id, {
          onSuccess: () => toast(`Sending the invite to ${row.email}.`),
          onError: ({ message }) => toast(message, { tone: 'failed' }),
        })
      }
    >
      {row.mail ? 'Send again' : 'Send'}
    </Button>
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
