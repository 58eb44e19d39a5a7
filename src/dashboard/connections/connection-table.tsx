import { useQuery } from '@tanstack/react-query'
import { Suspense, useState, type ReactNode } from 'react'
import { scopeReason } from '../../contract/accounts/scopes.ts'
import type { ExportOverview } from '../../contract/exports/overview.ts'
import { integrationKindLabels } from '../../contract/destinations/integration-kind-names.ts'
import type { Integration } from '../../contract/integrations/integration.ts'
import { useAccount } from '../account.ts'
import { counted } from '../format/amount.ts'
import { useDeleteIntegration } from '../queries/exports/integrations.ts'
import { overviewQuery } from '../queries/exports/overview.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Button } from '../ui/controls/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { toast } from '../ui/feedback/toasts.ts'
import { lazyNamed } from '../ui/lazy-named.ts'
import { DataTable, type Column } from '../ui/list/data-table.tsx'
import { actionsColumn } from '../ui/list/list-column.ts'
import { Status } from '../ui/status.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { RelativeTime } from '../ui/time.tsx'

const ConnectionDialog = lazyNamed(() => import('./connection-dialog.tsx'), 'ConnectionDialog')

type ConnectionTableProps = {
  rows: readonly Integration[] | undefined
  error: Error | null
  onRetry: () => void
  /** The button that creates a connection. */
  create: ReactNode
}

/** Lists connections with who uses them and when they last worked. */
export function ConnectionTable({ rows, error, onRetry, create }: ConnectionTableProps) {
  return (
    <DataTable
      caption="Connections, oldest first"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => String(id)}
      error={error}
      onRetry={onRetry}
      empty={
        <EmptyState title="No connections yet">
          <p>
            Exports to Amazon S3, compatible stores, Azure, SFTP servers and databases use one. Create it
            here, or in an export’s form.
          </p>
          {create}
        </EmptyState>
      }
    />
  )
}

const columns: readonly Column<Integration>[] = [
  { header: 'Connection', fills: true, cell: (row) => <Name row={row} /> },
  { header: 'Used by', hiddenBelow: 'md', wraps: true, cell: (row) => <UsedBy row={row} /> },
  { header: 'Last worked', hiddenBelow: 'sm', cell: (row) => <LastWorked row={row} /> },
  { header: 'Last failed', hiddenBelow: 'lg', cell: (row) => <LastFailed row={row} /> },
  { ...actionsColumn, hiddenBelow: 'md', cell: (row) => <Actions row={row} /> },
]

type RowProps = { row: Integration }

function Name({ row }: RowProps) {
  return (
    <div className="min-w-40 wrap-anywhere">
      <p className="font-medium">{row.display_name}</p>
      <p className="text-xs text-ink-3">
        {integrationKindLabels[row.kind]}
        {row.address !== integrationKindLabels[row.kind] && ` at ${hostOf(row)}`}
      </p>
      {row.errors !== '' && (
        <p className="mt-0.5 text-xs">
          <Status tone="failed">failing</Status> <span className="text-ink-2">{row.errors}</span>
        </p>
      )}
      <div className="mt-0.5 text-ink-2 md:hidden">
        Used by <UsedBy row={row} />
      </div>
      <div className="mt-1 md:hidden">
        <Actions row={row} />
      </div>
    </div>
  )
}

/** Returns the address without the fingerprint of a host key. */
function hostOf({ address }: Integration): string {
  return address.split(' ')[0] ?? address
}

/** More exports than this are counted instead of named. */
const namedMax = 3

function UsedBy({ row }: RowProps) {
  const users = useUsers(row)
  if (row.used_by === 0) return <span className="text-ink-3">no export</span>
  if (users.length === 0) return counted(row.used_by, 'export')
  const more = row.used_by - Math.min(users.length, namedMax)
  return (
    <ul className="inline-flex flex-wrap gap-x-2 whitespace-normal md:w-48 lg:w-80">
      {users.slice(0, namedMax).map(({ id, name }) => (
        <li key={id}>
          <TextLink to="/exports/$id" params={{ id }}>
            {name}
          </TextLink>
        </li>
      ))}
      {more > 0 && <li className="text-ink-3">and {more} more</li>}
    </ul>
  )
}

/** Returns the exports that use a connection, by name; none if the key cannot read exports. */
function useUsers({ id }: Integration): ExportOverview[] {
  const { projectId, scopes } = useAccount()
  const canRead = scopeReason(scopes, 'batch_export:read') === null
  const { data } = useQuery({ ...overviewQuery({ projectId }), enabled: canRead })
  const users = data?.results.filter(({ destination }) => destination.integration === id) ?? []
  return users.toSorted((one, other) => one.name.localeCompare(other.name))
}

function LastWorked({ row: { last_worked_at: at } }: RowProps) {
  return at === null ? <span className="text-ink-3">never</span> : <RelativeTime time={at} />
}

function LastFailed({ row: { last_failed_at: at } }: RowProps) {
  return at === null ? <span className="text-ink-3">never</span> : <RelativeTime time={at} />
}

function Actions({ row }: RowProps) {
  const { scopes } = useAccount()
  const [dialog, setDialog] = useState<'rotate' | 'delete' | null>(null)
  const users = useUsers(row)
  const reason = scopeReason(scopes, 'integration:write')
  const close = () => setDialog(null)
  return (
    <span className="inline-flex gap-2">
      <Button reason={reason} aria-label={`Rotate ${row.display_name}`} onClick={() => setDialog('rotate')}>
        Rotate
      </Button>
      <Button
        look="quiet"
        reason={reason ?? usedReason(row, users)}
        aria-label={`Delete ${row.display_name}`}
        onClick={() => setDialog('delete')}
      >
        Delete
      </Button>
      <Suspense>{dialog === 'rotate' && <ConnectionDialog rotated={row} onClose={close} />}</Suspense>
      {dialog === 'delete' && <DeleteConnection row={row} onClose={close} />}
    </span>
  )
}

/** Returns why a connection that exports use cannot be deleted; null if none do. */
function usedReason({ used_by: count }: Integration, users: readonly ExportOverview[]): string | null {
  if (count === 0) return null
  const named = users.slice(0, namedMax).map(({ name }) => name)
  const others = count - named.length
  const texts = [
    ...named,
    ...(others > 0 ? [named.length > 0 ? `${others} more` : counted(others, 'export')] : []),
  ]
  return `Used by ${new Intl.ListFormat('en-GB').format(texts)}: let ${count === 1 ? 'it' : 'them'} use another connection first.`
}

function DeleteConnection({ row, onClose }: RowProps & { onClose: () => void }) {
  const { projectId } = useAccount()
  const remove = useDeleteIntegration(projectId)
  const confirm = () =>
    remove.mutate(row.id, {
      onSuccess: () => {
        toast(`Deleted ${row.display_name}.`)
        onClose()
      },
    })
  return (
    <ConfirmDialog
      title={`Delete ${row.display_name}?`}
      action="Delete"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      No export uses it. Its secrets are deleted and cannot be restored.
    </ConfirmDialog>
  )
}
