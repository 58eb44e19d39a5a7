import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { writeReason } from '../../../contract/batch-export-run.ts'
import { ExportForm } from '../../forms/export-form.tsx'
import { newExportValues } from '../../forms/export-values.ts'
import { instanceQuery } from '../../queries/account.ts'
import { useCreateBatchExport } from '../../queries/batch-exports.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { toast } from '../../ui/toasts.ts'
import { knownDestinations } from '../../words/destination.ts'

export const Route = createFileRoute('/_app/exports/new')({
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(instanceQuery),
  component: NewExportPage,
})

function NewExportPage() {
  const { projectId, project, apiKey } = Route.useRouteContext()
  const { data: instance } = useSuspenseQuery(instanceQuery)
  const navigate = useNavigate()
  const create = useCreateBatchExport(projectId)
  const created = useRef<string>(undefined)
  const offered = knownDestinations(instance.destinations)
  const reason = writeReason(apiKey.scopes)
  return (
    <>
      <PageHeader
        title="New export"
        parent={<Link to="/exports">Batch exports</Link>}
        aside={<span className="text-ink-3">in {project.name}</span>}
      />
      {reason ? (
        <EmptyState title="This key may not create batch exports">
          <p>{reason}.</p>
        </EmptyState>
      ) : (
        <ExportForm
          values={newExportValues(offered[0] ?? 'S3')}
          stored={null}
          offered={offered}
          exportsFolder={instance.exports_folder}
          action="Create export"
          cancelTo={{ to: '/exports' }}
          onSave={async (input) => {
            const batchExport = await create.mutateAsync(input)
            created.current = batchExport.id
          }}
          onSaved={() => {
            toast('Created. Its first run starts when the current window has passed.')
            if (created.current) void navigate({ to: '/exports/$id', params: { id: created.current } })
          }}
        />
      )}
    </>
  )
}
