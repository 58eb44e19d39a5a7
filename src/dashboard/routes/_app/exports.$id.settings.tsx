import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { writeReason } from '../../../contract/runs/run-status.ts'
import { exportCan } from '../../../contract/exports/export-rules.ts'
import { useDeleteExport } from '../../exports/page/use-delete-export.ts'
import { batchExportQuery } from '../../queries/exports/batch-exports.ts'
import { changesQuery } from '../../queries/exports/changes.ts'
import { ChangeHistory } from '../../exports/settings/change-history.tsx'
import { Configuration } from '../../exports/settings/configuration.tsx'
import { CurlButton } from '../../exports/curl/curl-button.tsx'
import { DownloadYaml } from '../../exports/curl/download-yaml.tsx'
import { DriftSection } from '../../exports/history/drift-section.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { ButtonLink } from '../../ui/controls/button-link.tsx'

export const Route = createFileRoute('/_app/exports/$id/settings')({
  loader: ({ context: { queryClient, projectId }, params: { id } }) => {
    void queryClient.prefetchInfiniteQuery(changesQuery(projectId, id))
  },
  component: SettingsTab,
})

function SettingsTab() {
  const { id } = Route.useParams()
  const { projectId, apiKey } = Route.useRouteContext()
  const { data: batchExport } = useSuspenseQuery(batchExportQuery(projectId, id))
  const remove = useDeleteExport()
  const navigate = useNavigate()
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-2">
        <ButtonLink to="/exports/new" search={{ from: id }} reason={writeReason(apiKey.scopes)}>
          Clone
        </ButtonLink>
        <CurlButton batchExport={batchExport} />
        <DownloadYaml fileName={`${batchExport.name}.yaml`} ids={[id]} />
        <Button
          look="danger"
          reason={exportCan.delete(batchExport, apiKey.scopes)}
          onClick={() => {
            remove(batchExport)
            void navigate({ to: '/exports' })
          }}
        >
          Delete
        </Button>
      </div>
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,40rem)_minmax(0,48rem)]">
        <Configuration batchExport={batchExport} />
        <div className="flex min-w-0 flex-col gap-8">
          {batchExport.applied && <DriftSection batchExport={batchExport} />}
          <ChangeHistory batchExport={batchExport} />
        </div>
      </div>
    </div>
  )
}
