import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { IdentityProvider } from '../../contract/accounts/identity-provider.ts'
import { scopeReason } from '../../contract/accounts/scopes.ts'
import { useAccount } from '../account.ts'
import { counted } from '../format/amount.ts'
import {
  identityProvidersQuery,
  useDeleteProvider,
  useUpdateProvider,
} from '../queries/identity-providers.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Switch } from '../ui/controls/switch.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { toast } from '../ui/feedback/toasts.ts'
import { Icon } from '../ui/icon.tsx'
import { lazyNamed } from '../ui/lazy-named.ts'
import { DataTable, type Column } from '../ui/list/data-table.tsx'
import { actionsColumn } from '../ui/list/list-column.ts'
import { PageHeader } from '../ui/page-header.tsx'

const ProviderDialog = lazyNamed(() => import('../providers/provider-dialog.tsx'), 'ProviderDialog')
const TestProviderDialog = lazyNamed(
  () => import('../providers/test-provider-dialog.tsx'),
  'TestProviderDialog',
)

export const Route = createFileRoute('/_app/settings/sign-in')({ component: SignInPage })

function SignInPage() {
  const providers = useQuery(identityProvidersQuery)
  const [adding, setAdding] = useState(false)
  const reason = useWriteReason()
  const add = (
    <Button look="primary" reason={reason} onClick={() => setAdding(true)}>
      <Icon name="plus" /> Add a provider
    </Button>
  )
  const isEmpty = providers.data?.length === 0
  return (
    <>
      <PageHeader title="Sign-in">{!isEmpty && add}</PageHeader>
      <p className="mt-1 mb-3.5 max-w-160 text-ink-2">
        Members can sign in with an identity provider of your company, besides passwords and keys. What they
        may do follows their groups there; without a group that is named here, nobody gets in.
      </p>
      <DataTable
        caption="Identity providers"
        columns={columns}
        rows={providers.data}
        rowKey={({ id }) => id}
        error={providers.error}
        onRetry={() => void providers.refetch()}
        empty={
          <EmptyState title="No identity provider yet">
            <p>
              Any provider of OpenID Connect works, such as Okta, Microsoft Entra ID, Google Workspace,
              Keycloak or Authentik.
            </p>
            {add}
          </EmptyState>
        }
      />
      <Suspense>{adding && <ProviderDialog provider={null} onClose={() => setAdding(false)} />}</Suspense>
    </>
  )
}

/** Why the user may not change providers; null if they may. */
function useWriteReason(): string | null {
  const { scopes, user } = useAccount()
  const isOwner = user.role === 'owner' || scopes.includes('*')
  return (
    scopeReason(scopes, 'organization:write') ??
    (isOwner ? null : 'Only an owner of the organization can change how its members sign in.')
  )
}

const columns: readonly Column<IdentityProvider>[] = [
  { header: 'On', cell: (provider) => <ProviderSwitch provider={provider} /> },
  { header: 'Provider', fills: true, cell: (provider) => <Name provider={provider} /> },
  { header: 'Who gets in', hiddenBelow: 'md', cell: (provider) => <Access provider={provider} /> },
  { ...actionsColumn, cell: (provider) => <ProviderButtons provider={provider} /> },
]

type Row = { provider: IdentityProvider }

function ProviderSwitch({ provider: { id, name, enabled } }: Row) {
  const update = useUpdateProvider()
  const change = (on: boolean) =>
    update.mutate(
      { id, body: { enabled: on } },
      { onError: (error) => toast(error.message, { tone: 'failed' }) },
    )
  return <Switch label={`Sign-in with ${name}`} on={enabled} reason={useWriteReason()} onChange={change} />
}

function Name({ provider }: Row) {
  return (
    <div className="min-w-24 wrap-anywhere">
      <span className="font-medium">{provider.name}</span>
      <span className="block text-xs text-ink-3">{provider.issuer}</span>
      <span className="block text-xs md:hidden">
        <Access provider={provider} />
      </span>
    </div>
  )
}

function Access({ provider: { mappings, allowed_domains } }: Row) {
  const groups = new Set(mappings.map(({ group }) => group)).size
  if (groups === 0) return <span className="text-short-ink">nobody yet: no group has a role</span>
  const domains = allowed_domains.length > 0 && ` at ${allowed_domains.join(', ')}`
  return (
    <>
      {counted(groups, 'group')}
      {domains}
    </>
  )
}

function ProviderButtons({ provider }: Row) {
  const [open, setOpen] = useState<'test' | 'edit' | 'delete' | null>(null)
  const { scopes } = useAccount()
  const reason = useWriteReason()
  const close = () => setOpen(null)
  const { name } = provider
  return (
    <div className="flex justify-end gap-1 max-md:flex-col max-md:items-end">
      <Button
        look="quiet"
        aria-label={`Test ${name}`}
        reason={scopeReason(scopes, 'organization:write')}
        onClick={() => setOpen('test')}
      >
        Test
      </Button>
      <Button look="quiet" aria-label={`Edit ${name}`} reason={reason} onClick={() => setOpen('edit')}>
        Edit
      </Button>
      <Button look="quiet" aria-label={`Remove ${name}`} reason={reason} onClick={() => setOpen('delete')}>
        Remove
      </Button>
      <Suspense>
        {open === 'test' && <TestProviderDialog provider={provider} onClose={close} />}
        {open === 'edit' && <ProviderDialog provider={provider} onClose={close} />}
      </Suspense>
      {open === 'delete' && <RemoveProvider provider={provider} onClose={close} />}
    </div>
  )
}

function RemoveProvider({ provider: { id, name }, onClose }: Row & { onClose: () => void }) {
  const remove = useDeleteProvider()
  const confirm = () =>
    remove.mutate(id, {
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
      Everyone who signed in with it is signed out. They stay members with their current roles. Those without
      a password need a sign-in link from this service's administrator: admin -- sign-in-link --email ADDRESS.
    </ConfirmDialog>
  )
}
