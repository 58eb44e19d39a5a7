import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { PersonalApiKey } from '../../contract/accounts/api-key.ts'
import { memberName } from '../../contract/accounts/member-name.ts'
import { scopeReason } from '../../contract/accounts/scopes.ts'
import { useAccount } from '../account.ts'
import { apiKeysQuery, useRevokeApiKey } from '../queries/api-keys.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/controls/button.tsx'
import { DataTable, type Column } from '../ui/list/data-table.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Status } from '../ui/status.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { useNow } from '../ui/use-now.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { toast } from '../ui/feedback/toasts.ts'
import { lazyNamed } from '../ui/lazy-named.ts'

const CreateKeyDialog = lazyNamed(() => import('../keys/create-key-dialog.tsx'), 'CreateKeyDialog')

export const Route = createFileRoute('/_app/settings/keys')({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(apiKeysQuery)
  },
  component: KeysPage,
})

function KeysPage() {
  const { scopes, user } = useAccount()
  const keys = useQuery(apiKeysQuery)
  const [creating, setCreating] = useState(false)
  const reason = writeKeysReason(scopes)
  const isLimited = !scopes.includes('*') || !user.all_teams
  return (
    <>
      <PageHeader title="API keys">
        <Button look="primary" reason={reason} onClick={() => setCreating(true)}>
          <Icon name="plus" /> New key
        </Button>
      </PageHeader>
      <p className="mt-1 mb-3.5 max-w-160 text-ink-2">
        A key signs in here and calls the API. It can do what its scopes allow, in the projects it is limited
        to. A read-only key sees exports, runs and logs; buttons that would change something are disabled and
        name the missing scope.
        {isLimited && ' You see and revoke only keys that allow no more than you may do yourself.'}
      </p>
      <DataTable
        caption="API keys"
        columns={columns}
        rows={keys.data}
        rowKey={(row) => row.id}
        error={keys.error}
        onRetry={() => void keys.refetch()}
        empty={<EmptyState title="No keys" />}
      />
      <Suspense>{creating && <CreateKeyDialog onClose={() => setCreating(false)} />}</Suspense>
    </>
  )
}

function writeKeysReason(scopes: readonly string[]): string | null {
  return scopeReason(scopes, 'personal_api_key:write')
}

const columns: Column<PersonalApiKey>[] = [
  { header: 'Label', wraps: true, cell: (row) => <KeyLabel row={row} /> },
  { header: 'Scopes', fills: true, hiddenBelow: 'sm', cell: (row) => <Scopes row={row} /> },
  { header: 'Projects', hiddenBelow: 'md', cell: (row) => <KeyProjects row={row} /> },
  { header: 'Belongs to', hiddenBelow: 'lg', cell: (row) => <Owner row={row} /> },
  { header: 'Created', hiddenBelow: 'lg', cell: (row) => <RelativeTime time={row.created_at} /> },
  { header: 'Expires', hiddenBelow: 'md', cell: (row) => <Expiry row={row} /> },
  { header: 'Last used', hiddenBelow: 'sm', cell: (row) => <LastUsed row={row} /> },
  { header: 'Actions', silent: true, end: true, cell: (row) => <RevokeButton row={row} /> },
]

function KeyLabel({ row }: { row: PersonalApiKey }) {
  const { user } = useAccount()
  return (
    <>
      <span className="font-medium">{row.label}</span>
      {row.id === user.key?.id && <span className="ml-2 text-xs text-ink-3">in use here</span>}
      <span className="block sm:hidden">
        <Scopes row={row} />
      </span>
      <span className="block text-xs text-ink-3 lg:hidden">
        of <Owner row={row} />
        <span className="md:hidden">
          , expires <Expiry row={row} />
        </span>
      </span>
    </>
  )
}

/** Names whose key it is: a key of the organization works after its creator has left. */
function Owner({ row }: { row: PersonalApiKey }) {
  const { user } = useAccount()
  if (row.is_service) return 'the organization'
  return (
    <span className="inline-flex items-center gap-1.5 align-bottom">
      <Avatar name={memberName(user)} /> you
    </span>
  )
}

function Expiry({ row: { expires_at: at } }: { row: PersonalApiKey }) {
  const isPast = useNow((now) => at !== null && Date.parse(at) <= now)
  if (at === null) return 'never'
  return isPast ? <Status tone="stopped">expired</Status> : <RelativeTime time={at} />
}

function LastUsed({ row: { last_used_at: at, last_used_from: address } }: { row: PersonalApiKey }) {
  if (at === null) return 'never'
  return (
    <>
      <RelativeTime time={at} />
      {address && <span className="block text-xs text-ink-3">from {address}</span>}
    </>
  )
}

function Scopes({ row: { scopes } }: { row: PersonalApiKey }) {
  const text = scopes.includes('*') ? 'all' : scopes.join(', ')
  return <span className="mono text-ink-2">{text || 'none'}</span>
}

function KeyProjects({ row }: { row: PersonalApiKey }) {
  const { user } = useAccount()
  const nameOf = (id: number) =>
    user.organization.teams.find((team) => team.id === id)?.name ?? `project ${id}`
  return row.scoped_teams === null ? 'all' : row.scoped_teams.map(nameOf).join(', ')
}

function RevokeButton({ row }: { row: PersonalApiKey }) {
  const { scopes } = useAccount()
  const [confirming, setConfirming] = useState(false)
  return (
    <>
      <Button look="quiet" reason={writeKeysReason(scopes)} onClick={() => setConfirming(true)}>
        Revoke
      </Button>
      {confirming && <RevokeKey apiKey={row} onClose={() => setConfirming(false)} />}
    </>
  )
}

function RevokeKey({ apiKey, onClose }: { apiKey: PersonalApiKey; onClose: () => void }) {
  const account = useAccount()
  const revoke = useRevokeApiKey()
  const isOwn = apiKey.id === account.user.key?.id
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
