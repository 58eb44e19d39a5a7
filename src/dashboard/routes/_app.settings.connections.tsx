import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { scopeReason } from '../../contract/accounts/scopes.ts'
import { useAccount } from '../account.ts'
import { ConnectionTable } from '../connections/connection-table.tsx'
import { integrationsQuery } from '../queries/exports/integrations.ts'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { lazyNamed } from '../ui/lazy-named.ts'
import { PageHeader } from '../ui/page-header.tsx'

const ConnectionDialog = lazyNamed(() => import('../connections/connection-dialog.tsx'), 'ConnectionDialog')

export const Route = createFileRoute('/_app/settings/connections')({ component: ConnectionsPage })

function ConnectionsPage() {
  const { projectId, scopes } = useAccount()
  const connections = useQuery(integrationsQuery(projectId))
  const [creating, setCreating] = useState(false)
  const create = (
    <Button
      look="primary"
      reason={scopeReason(scopes, 'integration:write')}
      onClick={() => setCreating(true)}
    >
      <Icon name="plus" /> New connection
    </Button>
  )
  const isEmpty = connections.data?.results.length === 0
  return (
    <>
      <PageHeader title="Connections">{!isEmpty && create}</PageHeader>
      <p className="mt-1 mb-3.5 max-w-160 text-ink-2">
        A connection holds the address and the secrets of a store or database. It is saved once, and many
        exports can use it.
      </p>
      <ConnectionTable
        rows={connections.data?.results}
        error={connections.error}
        onRetry={() => void connections.refetch()}
        create={create}
      />
      <Suspense>{creating && <ConnectionDialog onClose={() => setCreating(false)} />}</Suspense>
    </>
  )
}
