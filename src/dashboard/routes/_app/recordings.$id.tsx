import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, type ErrorComponentProps } from '@tanstack/react-router'
import { isStatus } from '../../api/problem.ts'
import { recordingQuery } from '../../queries/recordings/recording.ts'
import { snapshotSourcesQuery } from '../../queries/recordings/snapshots.ts'
import { inspectorTabs, rowFilters } from '../../recordings/moments/inspector-params.ts'
import { prepareRecording } from '../../recordings/player/prepare-recording.ts'
import { RecordingPage } from '../../recordings/page/recording-page.tsx'
import { BackToList } from '../../recordings/page/back-to-list.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ProblemPage } from '../../ui/feedback/whole-page.tsx'
import { amount, index, oneOf, searchParams, text } from '../../format/search-params.ts'

export const Route = createFileRoute('/_app/recordings/$id')({
  validateSearch: searchParams({
    /** Seconds since the start. */
    t: amount,
    /** Length of the highlights to play, in seconds. */
    highlights: amount,
    tab: oneOf(inspectorTabs),
    show: oneOf(rowFilters),
    list: text,
    row: index,
  }),
  loader: ({ context: { queryClient, projectId }, params: { id }, location: { search }, cause }) => {
    // A preloaded list would lack the newest blocks of a recording that is opened later.
    if (cause !== 'preload') void queryClient.prefetchQuery(snapshotSourcesQuery({ projectId, id }))
    const at = 't' in search ? amount(search.t) : undefined
    if (cause === 'enter') prepareRecording(queryClient, { projectId, id }, at ?? 0)
    return queryClient.ensureQueryData(recordingQuery(projectId, id))
  },
  component: WatchPage,
  errorComponent: RecordingProblem,
})

function WatchPage() {
  const { id } = Route.useParams()
  const { projectId } = Route.useRouteContext()
  const { t, highlights, tab = 'summary', show = 'all', list, row } = Route.useSearch()
  const navigate = Route.useNavigate()
  const { data: recording } = useSuspenseQuery(recordingQuery(projectId, id))
  return (
    <RecordingPage
      key={id}
      recording={recording}
      at={t}
      highlights={highlights}
      tab={tab}
      filter={show}
      onFilter={(filter) =>
        void navigate({
          search: (search) => ({ ...search, show: filter === 'all' ? undefined : filter }),
          replace: true,
          resetScroll: false,
        })
      }
      place={{ list, row }}
    />
  )
}

function RecordingProblem(props: ErrorComponentProps) {
  const { list } = Route.useSearch()
  if (!isStatus(props.error, 404)) return <ProblemPage {...props} />
  return (
    <>
      <title>Recording not found · Spool</title>
      <h1 className="sr-only">Recording not found</h1>
      <EmptyState title="Recording not found">
        <p>It was deleted, has expired, or belongs to another project.</p>
        <p className="underline underline-offset-3">
          <BackToList list={list} />
        </p>
      </EmptyState>
    </>
  )
}
