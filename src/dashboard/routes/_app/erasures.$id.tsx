import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { ErasureStatus } from '../../privacy/erasure-status.tsx'
import { ErasureView } from '../../privacy/erasure-view.tsx'
import { erasureQuery } from '../../queries/privacy.ts'
import { Button } from '../../ui/controls/button.tsx'
import { DownloadButton } from '../../ui/download-button.tsx'
import { LoadedPage } from '../../ui/list/list-notes.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { ParentLink, TextLink } from '../../ui/text-link.tsx'

export const Route = createFileRoute('/_app/erasures/$id')({ component: ErasurePage })

function ErasurePage() {
  const { id } = Route.useParams()
  const { projectId } = Route.useRouteContext()
  const query = useQuery({
    ...erasureQuery(projectId, id),
    refetchInterval: ({ state }) => (state.data && state.data.finished_at === null ? 1000 : 15_000),
  })
  const download = async () => {
    const certificate = await call('certificateOfPersonErasure', {
      params: { project_id: projectId, erasure_id: id },
    })
    const content = new Blob([JSON.stringify(certificate, null, 2)], { type: 'application/json' })
    saveFile(`erasure-${id}.json`, content)
  }
  return (
    <LoadedPage
      query={query}
      title="Erasure"
      missing="No erasure of this project has this id."
      parent={<TextLink to="/settings/privacy">Privacy</TextLink>}
    >
      {(erasure) => (
        <>
          <PageHeader
            title={erasure.step === 'done' ? 'Certificate of erasure' : 'Erasure of a person'}
            parent={<ParentLink to="/settings/privacy">Privacy</ParentLink>}
            aside={<ErasureStatus erasure={erasure} />}
          >
            <Button onClick={() => print()}>Print</Button>
            <DownloadButton failed="The certificate could not be downloaded." download={download}>
              Download signed JSON
            </DownloadButton>
          </PageHeader>
          <div className="mt-4">
            <ErasureView erasure={erasure} />
          </div>
        </>
      )}
    </LoadedPage>
  )
}
