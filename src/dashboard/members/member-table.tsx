import type { Rights } from '../../contract/accounts/roles.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { Member } from '../../contract/accounts/member.ts'
import type { Role } from '../../contract/accounts/roles.ts'
import { useAccount } from '../account.ts'
import { membersQuery, useChangeMember, useRemoveMember } from '../queries/members.ts'
import { Avatar } from '../ui/avatar.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Options } from '../ui/controls/options.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { sendAction } from '../ui/feedback/send-action.ts'
import { toast } from '../ui/feedback/toasts.ts'
import { lazyNamed } from '../ui/lazy-named.ts'
import { DataTable, type Column } from '../ui/list/data-table.tsx'
import { actionsColumn } from '../ui/list/list-column.ts'
import { RelativeTime } from '../ui/time.tsx'
import { LeaveButton } from './leave-button.tsx'
import { memberName } from '../../contract/accounts/member-name.ts'
import { changeReason, givableRoles, projectsInWords, roleLabels, withRole } from './role-words.ts'
import { useRefreshUser } from './use-refresh-user.ts'

const RightsDialog = lazyNamed(() => import('./rights-dialog.tsx'), 'RightsDialog')

type MemberTableProps = {
  rows: readonly Member[] | undefined
  error: Error | null
  onRetry: () => void
}

/** Lists the members of the organization with their roles. */
export function MemberTable(props: MemberTableProps) {
  return (
    <DataTable
      caption="Members, the first who joined first"
      columns={columns}
      rowKey={({ id }) => id}
      empty={<EmptyState title="No members" />}
      {...props}
    />
  )
}

const columns: readonly Column<Member>[] = [
  { header: 'Member', fills: true, cell: (row) => <Name row={row} /> },
  { header: 'Role', hiddenBelow: 'sm', cell: (row) => <RoleControl row={row} /> },
  { header: 'Projects', hiddenBelow: 'md', wraps: true, cell: (row) => <Projects row={row} /> },
  { header: 'Last seen', hiddenBelow: 'lg', cell: (row) => <LastSeen row={row} /> },
  { ...actionsColumn, hiddenBelow: 'sm', cell: (row) => <Actions row={row} /> },
]

type RowProps = { row: Member }

/** Returns why the user cannot change a member; null if they can. */
function useReason(row: Member): string | null {
  const { user } = useAccount()
  const { data: members = [row] } = useQuery(membersQuery)
  return changeReason(user.scopes, row, members)
}

function Name({ row }: RowProps) {
  const { user } = useAccount()
  return (
    <div className="flex min-w-0 items-start gap-2.5 py-0.5">
      <Avatar name={memberName(row)} size="large" />
      <div className="min-w-0 wrap-anywhere">
        <p className="font-medium">
          {memberName(row)}
          {row.id === user.uuid && <span className="ml-2 text-xs font-normal text-ink-3">you</span>}
        </p>
        <p className="text-xs text-ink-3">{row.email}</p>
        <p className="text-xs text-ink-2 md:hidden">
          Projects: <Projects row={row} />
        </p>
        <div className="mt-1 flex flex-wrap gap-2 sm:hidden">
          <RoleControl row={row} />
          <Actions row={row} />
        </div>
      </div>
    </div>
  )
}

/** Changes the role in place; a member who cannot be changed has a button that says why. */
function RoleControl({ row }: RowProps) {
  const { user } = useAccount()
  const change = useChangeMember()
  const refreshUser = useRefreshUser()
  const reason = useReason(row)
  const label = `Role of ${memberName(row)}`
  if (reason !== null)
    return (
      <Button look="quiet" aria-label={`${label}: ${roleLabels[row.role]}`} reason={reason}>
        {roleLabels[row.role]}
      </Button>
    )
  const give = async ({ role, project_roles }: Rights) => {
    await change.mutateAsync({ id: row.id, body: { role, project_roles } })
    if (row.id === user.uuid) await refreshUser()
  }
  const choose = (role: Role) =>
    void sendAction({
      failed: `The role of ${memberName(row)} could not be changed.`,
      send: () => give(withRole(row, role)),
      done: `${memberName(row)} is now an ${roleLabels[role].toLowerCase()}.`,
      undo: () =>
        void sendAction({
          failed: 'The change could not be undone.',
          send: () => give(row),
          done: 'Undone.',
        }),
    })
  const choices = givableRoles(user.scopes)
  return (
    <select
      aria-label={label}
      aria-busy={change.isPending}
      className="field w-auto"
      value={change.isPending ? change.variables.body.role : row.role}
      onChange={(event) => {
        const role = choices.find((known) => known === event.target.value)
        if (role) choose(role)
      }}
    >
      <Options of={choices.map((role) => [role, roleLabels[role]])} />
    </select>
  )
}

function Projects({ row }: RowProps) {
  const { projects } = useAccount()
  return projectsInWords(row, projects)
}

function LastSeen({ row: { last_seen_at: at } }: RowProps) {
  return at === null ? <span className="text-ink-3">not lately</span> : <RelativeTime time={at} />
}

function Actions({ row }: RowProps) {
  const [dialog, setDialog] = useState<'rights' | 'remove' | null>(null)
  const reason = useReason(row)
  const { user } = useAccount()
  const close = () => setDialog(null)
  const name = memberName(row)
  const isOwn = row.id === user.uuid
  return (
    <span className="inline-flex gap-2">
      <Button reason={reason} aria-label={`Projects of ${name}`} onClick={() => setDialog('rights')}>
        Projects
      </Button>
      {isOwn ? (
        <LeaveButton look="quiet" />
      ) : (
        <Button
          look="quiet"
          reason={reason}
          aria-label={`Remove ${name}`}
          onClick={() => setDialog('remove')}
        >
          Remove
        </Button>
      )}
      <Suspense>{dialog === 'rights' && <RightsDialog member={row} onClose={close} />}</Suspense>
      {dialog === 'remove' && <RemoveDialog row={row} onClose={close} />}
    </span>
  )
}

function RemoveDialog({ row, onClose }: RowProps & { onClose: () => void }) {
  const remove = useRemoveMember()
  const name = memberName(row)
  const confirm = () =>
    remove.mutate(row.id, {
      onSuccess: () => {
        toast(`Removed ${name}.`)
        onClose()
      },
    })
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      action="Remove"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {name} is signed out everywhere at once, and personal keys stop working. Exports and keys of the
      organization stay: revoke the keys that nobody else should know. A new invite is needed to come back.
    </ConfirmDialog>
  )
}
