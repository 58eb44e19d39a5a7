import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { errorStates } from '../../../contract/recordings/error-cluster.ts'
import { errorsQuery } from '../../queries/recordings/recordings.ts'
import { ErrorList } from '../../recordings/errors/error-list.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ListNotes, ListSkeleton, NoMatches } from '../../ui/list/list-notes.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { count, counted } from '../../format/amount.ts'
import { notePageOpened } from '../../format/last-visit.ts'
import { integer, oneOf, searchParams } from '../../format/search-params.ts'
import { lazyNamed } from '../../ui/lazy-named.ts'

const ErrorSheet = lazyNamed(() => import('../../recordings/errors/error-sheet.tsx'), 'ErrorSheet')

export const Route = createFileRoute('/_app/recordings/errors')({
  validateSearch: searchParams({
    state: oneOf(['open', 'resolved', 'ignored']),
    /** The cluster that the side sheet shows. */
    error: integer,
  }),
  loaderDeps: ({ search: { state } }) => ({ state }),
  loader: ({ context: { queryClient, projectId }, deps: { state = 'open' } }) => {
    void queryClient.prefetchQuery(errorsQuery(projectId, { state }))
  },
  component: ErrorsPage,
})

function ErrorsPage() {
  const { projectId } = Route.useRouteContext()
  const { state = 'open', error: opened } = Route.useSearch()
  const navigate = Route.useNavigate()
  const [newSince] = useState(() => notePageOpened('errors', projectId))
  const { data, error, refetch } = useQuery(errorsQuery(projectId, { state }))
  const rows = useMemo(
    () =>
      data?.results.map((cluster) => ({
        ...cluster,
        id: String(cluster.cluster),
        isNew: newSince !== null && Date.parse(cluster.oldest) > newSince,
      })),
    [data, newSince],
  )
  const row = rows?.find(({ cluster }) => cluster === opened)
  const show = (cluster: number | undefined) =>
    void navigate({ search: (now) => ({ ...now, error: cluster }), resetScroll: false })
  const showOpen = () => void navigate({ search: {} })
  const nothing =
    state === 'open' ? (
      <EmptyState title="No open errors">
        All errors are resolved or ignored. A resolved error opens again when it recurs.
      </EmptyState>
    ) : (
      <NoMatches title={`No ${state} errors`} clear="Show open errors" onClear={showOpen} />
    )
  const counts = data?.counts
  const total = counts && counts.open + counts.resolved + counts.ignored
  const news = rows?.filter(({ isNew }) => isNew).length ?? 0
  return (
    <>
      <PageHeader
        title="Errors"
        aside={total !== undefined && <output className="text-ink-3">{counted(total, 'error')}</output>}
      />
      <p className="mt-1 mb-3 max-w-160 text-ink-2">
        Console errors and uncaught exceptions of recorded pages. Messages that differ only in numbers, ids,
        hosts and quoted values count as one error. The most frequent comes first.
        {newSince !== null && (
          <>
            {' '}
            <span>
              {news === 0 ? 'None is' : `${count(news)} ${news === 1 ? 'is' : 'are'}`} new since you last
              opened this page with this browser, <RelativeTime time={new Date(newSince).toISOString()} />.
            </span>
          </>
        )}
      </p>
      <fieldset aria-label="State" className="mb-2 flex flex-wrap gap-1">
        {errorStates.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={state === each}
            onClick={() => void navigate({ search: each === 'open' ? {} : { state: each }, replace: true })}
            className="h-8 rounded-md border border-line px-2.5 text-ink-2 hover:bg-hover aria-pressed:border-accent aria-pressed:text-ink"
          >
            <span className="capitalize">{each}</span>{' '}
            <span className="text-ink-3">{counts && count(counts[each])}</span>
          </button>
        ))}
      </fieldset>
      <ListNotes
        count={rows?.length}
        error={error}
        onRetry={() => void refetch()}
        empty={<EmptyState title="No errors">No recorded page has logged an error yet.</EmptyState>}
        filteredEmpty={total ? nothing : null}
        loading={<ListSkeleton />}
      >
        <ErrorList rows={rows ?? []} filterKey={state} onOpen={({ cluster }) => show(cluster)} />
      </ListNotes>
      <Suspense>{row && <ErrorSheet row={row} onClose={() => show(undefined)} />}</Suspense>
    </>
  )
}
