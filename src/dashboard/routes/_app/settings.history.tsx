import { createFileRoute } from '@tanstack/react-router'
import { ProjectHistory } from '../../exports/history/project-history.tsx'
import { DownloadYaml } from '../../exports/curl/download-yaml.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

type HistorySearch = { q?: string | undefined; kind?: string | undefined }

export const Route = createFileRoute('/_app/settings/history')({
  validateSearch: ({ q, kind }: HistorySearch): HistorySearch => ({ q, kind }),
  component: HistoryPage,
})

function HistoryPage() {
  const { q = '', kind = null } = Route.useSearch()
  const { project } = Route.useRouteContext()
  const navigate = Route.useNavigate()
  return (
    <>
      <PageHeader
        title="History"
        aside={<span className="text-ink-3">of the exports in {project.name}</span>}
      >
        <DownloadYaml fileName="exports.yaml" />
      </PageHeader>
      <ProjectHistory
        q={String(q)}
        kind={kind}
        onChange={({ q: text, kind: chosen }) =>
          void navigate({
            search: (now) => ({
              ...now,
              ...(text !== undefined && { q: text || undefined }),
              ...(chosen !== undefined && { kind: chosen ?? undefined }),
            }),
            replace: true,
            resetScroll: false,
          })
        }
      />
    </>
  )
}
