import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { errorStates, type ErrorState } from '../../../contract/recordings/error-cluster.ts'
import { useAccount } from '../../account.ts'
import { assigneeParam, nothingAssigned } from '../../ui/assignee/assignee-filter.ts'
import { errorsQuery } from '../../queries/recordings/recordings.ts'
import { ErrorList } from '../../recordings/errors/error-list.tsx'
import { AssigneeChips } from '../../ui/assignee/assignee-chips.tsx'
import { FilterChip } from '../../ui/controls/filter-chip.tsx'
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
    assignee: assigneeParam,
    /** The cluster that the side sheet shows. */
    error: integer,
  }),
  loaderDeps: ({ search: { state, assignee } }) => ({ state, assignee }),
  loader: ({ context: { queryClient, projectId }, deps: { state = 'open', assignee } }) => {
    void queryClient.prefetchQuery(errorsQuery(projectId, { state, ...(assignee && { assignee }) }))
  },
  component: ErrorsPage,
})

function ErrorsPage() {
  const { projectId } = Route.useRouteContext()
  const { state = 'open', assignee, error: opened } = Route.useSearch()
  const navigate = Route.useNavigate()
  const { user } = useAccount()
  const [newSince] = useState(() => notePageOpened('errors', projectId))
  const { data, error, refetch } = useQuery(errorsQuery(projectId, { state, ...(assignee && { assignee }) }))
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
  const filter = (change: { state?: ErrorState | undefined; assignee?: string | undefined }) =>
    void navigate({ search: ({ error: _closed, ...now }) => ({ ...now, ...change }), replace: true })
  const nothing =
    assignee !== undefined ? (
      <NoMatches
        title={nothingAssigned(assignee, `${state} errors`)}
        clear={`Show all ${state} errors`}
        onClear={() => filter({ assignee: undefined })}
      />
    ) : state === 'open' ? (
      <EmptyState title="No open errors">
        All errors are resolved or ignored. A resolved error opens again when it recurs.
      </EmptyState>
    ) : (
      <NoMatches
        title={`No ${state} errors`}
        clear="Show open errors"
        onClear={() => filter({ state: undefined })}
      />
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
      <div className="mb-2 flex flex-wrap gap-x-4 gap-y-1">
        <fieldset aria-label="State" className="flex flex-wrap gap-1">
          {errorStates.map((each) => (
            <FilterChip
              key={each}
              pressed={state === each}
              amount={counts?.[each]}
              onClick={() => filter({ state: each === 'open' ? undefined : each })}
            >
              <span className="capitalize">{each}</span>
            </FilterChip>
          ))}
        </fieldset>
        <AssigneeChips
          value={assignee}
          mine={counts?.mine}
          isPerson={user.role !== null}
          rows={rows}
          onChange={(chosen) => filter({ assignee: chosen })}
        />
      </div>
      <ListNotes
        count={rows?.length}
        error={error}
        onRetry={() => void refetch()}
        empty={<EmptyState title="No errors">No recorded page has logged an error yet.</EmptyState>}
        filteredEmpty={total || assignee !== undefined ? nothing : null}
        loading={<ListSkeleton />}
      >
        <ErrorList
          rows={rows ?? []}
          filterKey={`${state} ${assignee}`}
          onOpen={({ cluster }) => show(cluster)}
        />
      </ListNotes>
      <Suspense>{row && <ErrorSheet row={row} onClose={() => show(undefined)} />}</Suspense>
    </>
  )
}
