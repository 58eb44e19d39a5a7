import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { exportCan } from '../../../contract/exports/export-rules.ts'
import { ExportForm } from '../../exports/form/export-form.tsx'
import { valuesOfExport } from '../../exports/values/export-values.ts'
import { usePreferences } from '../../format/preferences.ts'
import { instanceQuery } from '../../queries/account.ts'
import { batchExportQuery, useUpdateBatchExport } from '../../queries/exports/batch-exports.ts'
import { NoPermission } from '../../ui/feedback/no-permission.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { toast } from '../../ui/feedback/toasts.ts'
import { ParentLink } from '../../ui/text-link.tsx'

export const Route = createFileRoute('/_app/exports/$id_/edit')({
  loader: async ({ context: { queryClient, projectId }, params: { id } }) => {
    await Promise.all([
      queryClient.ensureQueryData(instanceQuery),
      queryClient.ensureQueryData(batchExportQuery(projectId, id)),
    ])
  },
  component: EditExportPage,
})

function EditExportPage() {
  const { id } = Route.useParams()
  const { projectId, scopes } = Route.useRouteContext()
  const { zone } = usePreferences()
  const { data: instance } = useSuspenseQuery(instanceQuery)
  const { data: batchExport } = useSuspenseQuery(batchExportQuery(projectId, id))
  const update = useUpdateBatchExport(projectId, id)
  const navigate = useNavigate()
  const reason = exportCan.edit(batchExport, scopes)
  return (
    <>
      <PageHeader
        title={`Edit ${batchExport.name}`}
        parent={
          <ParentLink to="/exports/$id" params={{ id }}>
            {batchExport.name}
          </ParentLink>
        }
      />
      {reason ? (
        <NoPermission reason={reason} title="This key may not change batch exports" />
      ) : (
        <ExportForm
          values={valuesOfExport(batchExport, zone)}
          origin={{ ...batchExport, kind: 'edited' }}
          instance={instance}
          action="Save changes"
          cancelTo={{ to: '/exports/$id', params: { id } }}
          onSave={async (input) => {
            await update.mutateAsync(input)
            toast(`Saved ${batchExport.name}.`)
            void navigate({ to: '/exports/$id', params: { id }, replace: true })
          }}
        />
      )}
    </>
  )
}
