import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { recordingSettingsQuery } from '../../queries/recordings/recording-settings.ts'
import { RecordingSettingsForm } from '../../recordings/settings/recording-settings-form.tsx'
import { ListProblem } from '../../ui/list/list-problem.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

export const Route = createFileRoute('/_app/settings/recordings')({
  loader: ({ context: { queryClient, projectId } }) => {
    void queryClient.prefetchQuery(recordingSettingsQuery(projectId))
  },
  component: RecordingSettingsPage,
})

function RecordingSettingsPage() {
  const { projectId } = Route.useRouteContext()
  const { data, error, refetch } = useQuery(recordingSettingsQuery(projectId))
  return (
    <>
      <PageHeader title="Recording settings" />
      <p className="mt-1 mb-6 max-w-160 text-ink-2">
        What posthog-js records on the sites of this project, besides the page itself. A change applies to
        pages that visitors open from now on; recordings that exist stay as they are. Options that a site
        passes to <code>posthog.init</code> take precedence.
      </p>
      {error && <ListProblem error={error} onRetry={() => void refetch()} />}
      {data && <RecordingSettingsForm settings={data} />}
      {!data && !error && <output className="appear-late text-ink-3">Loading…</output>}
    </>
  )
}
