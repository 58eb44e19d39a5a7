import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { writeReason } from '../../../contract/runs/run-status.ts'
import { ExportForm } from '../../exports/form/export-form.tsx'
import { newExportValues, valuesOfCopy } from '../../exports/values/export-values.ts'
import { usePreferences } from '../../format/preferences.ts'
import { instanceQuery } from '../../queries/account.ts'
import { batchExportQuery, useCreateBatchExport } from '../../queries/exports/batch-exports.ts'
import { NoPermission } from '../../ui/feedback/no-permission.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { NewSecretDialog } from '../../ui/secret.tsx'
import { toast } from '../../ui/feedback/toasts.ts'
import { ParentLink } from '../../ui/text-link.tsx'
import { knownDestinations } from '../../format/destination.ts'
import { searchParams, text } from '../../format/search-params.ts'

export const Route = createFileRoute('/_app/exports/new')({
  validateSearch: searchParams({ from: text }),
  loaderDeps: ({ search: { from } }) => ({ from }),
  loader: async ({ context: { queryClient, projectId }, deps: { from } }) => {
    const [original] = await Promise.all([
      from === undefined ? null : queryClient.ensureQueryData(batchExportQuery(projectId, from)),
      queryClient.ensureQueryData(instanceQuery),
    ])
    return { original }
  },
  component: NewExportPage,
})

function NewExportPage() {
  const { projectId, project, scopes } = Route.useRouteContext()
  const { zone } = usePreferences()
  const { original } = Route.useLoaderData()
  const { data: instance } = useSuspenseQuery(instanceQuery)
  const navigate = useNavigate()
  const create = useCreateBatchExport(projectId)
  const [created, setCreated] = useState<{ id: string; secret: string } | null>(null)
  // Replaces the form, which Back would otherwise open again.
  const open = (id: string) => void navigate({ to: '/exports/$id', params: { id }, replace: true })
  const [type = 'S3'] = knownDestinations(instance.destinations)
  const reason = writeReason(scopes)
  return (
    <>
      {/* Keeps the title in view: a copy opens scrolled to its destination, which must differ. */}
      <div className="bg-bg md:sticky md:top-0 md:z-10 md:-mt-2 md:py-2">
        <PageHeader
          title={original ? `Copy of ${original.name}` : 'New export'}
          parent={<ParentLink to="/exports">Batch exports</ParentLink>}
          aside={<span className="text-ink-3">in {project.name}</span>}
        />
      </div>
      {reason ? (
        <NoPermission reason={reason} title="This key may not create batch exports" />
      ) : (
        <ExportForm
          key={original?.id ?? 'new'}
          values={original ? valuesOfCopy(original, zone) : newExportValues(type)}
          origin={original && { ...original, kind: 'cloned' }}
          instance={instance}
          action="Create export"
          cancelTo={{ to: '/exports' }}
          onSave={async (input) => {
            const { id, signing_secret: secret } = await create.mutateAsync(input)
            toast('Created. The first run starts when the first window ends.')
            if (secret === undefined) open(id)
            else setCreated({ id, secret })
          }}
        />
      )}
      {created && (
        <NewSecretDialog
          title="The export is ready"
          label="Signing secret"
          about="Copy the signing secret now: it is not shown again. With it, the receiver checks that a request comes from Spool."
          secret={created.secret}
          onClose={() => open(created.id)}
        />
      )}
    </>
  )
}
