import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute, useLocation } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { matchingQuery, recordingsQuery, refreshRecordings } from '../../queries/recordings/recordings.ts'
import { ImportRecording } from '../../recordings/import/import-recording.tsx'
import { FilterBar } from '../../recordings/filter/filter-bar.tsx'
import { NoMatches, NoRecordings } from '../../recordings/list/no-matches.tsx'
import { NewRecordings, RecordingCount } from '../../recordings/filter/recording-count.tsx'
import { RecordingList, useRecordings } from '../../recordings/list/recording-list.tsx'
import {
  asFilter,
  invalidParameters,
  withoutDefaults,
  isFiltered,
  listAddress,
  noFilters,
  RecordingsSearch,
} from '../../queries/recordings/recordings-search.ts'
// A name of its own: the build would keep the schema in the first load for a type of the same name.
import type { RecordingsSearch as SearchType } from '../../queries/recordings/recordings-search.ts'
import { NewCollection } from '../../recordings/collections/new-collection.tsx'
import { SummarizeAll } from '../../recordings/summary/summarize-all.tsx'
import { ViewLinks } from '../../recordings/views/view-links.tsx'
import { SaveView } from '../../recordings/views/save-view.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { anything, searchParams, text } from '../../format/search-params.ts'

const parameters = {
  search: anything,
  date_from: anything,
  date_to: anything,
  order: anything,
  order_direction: anything,
  distinct_ids: anything,
  mentions: anything,
  person_uuid: anything,
  snapshot_source: anything,
  events: anything,
  properties: anything,
  console_log_filters: anything,
  failed_request_filters: anything,
  actions: anything,
  session_ids: anything,
  collection: anything,
} satisfies Record<keyof SearchType, typeof anything>

export const Route = createFileRoute('/_app/recordings/')({
  // The page parses these values when it is loaded, so that the first load does not contain the filters' schema.
  validateSearch: searchParams({
    ...parameters,
    /** Id of the opened view. */
    view: text,
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, projectId }, deps }) => {
    void queryClient.prefetchInfiniteQuery(recordingsQuery(projectId, asFilter(RecordingsSearch.parse(deps))))
  },
  component: RecordingsPage,
})

function RecordingsPage() {
  const { projectId } = Route.useRouteContext()
  const address = Route.useSearch()
  const navigate = Route.useNavigate()
  const client = useQueryClient()
  const fieldRef = useRef<HTMLInputElement>(null)
  const search = useMemo(() => RecordingsSearch.parse(address), [address])
  const { view } = address
  const filter = useMemo(() => asFilter(search), [search])
  const found = useRecordings(filter)
  const { list, first, rows } = found
  const now = useQuery({ ...matchingQuery(projectId, filter), enabled: list.isSuccess })
  const change = (part: Partial<RecordingsSearch>) =>
    void navigate({
      // The newest search, because a change of the search field arrives a moment after the others.
      search: (now) => ({
        ...withoutDefaults({ ...RecordingsSearch.parse(now), ...part }),
        view: part === noFilters ? undefined : now.view,
      }),
      replace: true,
      resetScroll: false,
    })
  useEffect(() => {
    const ignored = invalidParameters(address).join(', ')
    if (ignored)
      void navigate({
        search: { ...withoutDefaults(search), view },
        replace: true,
        state: { ignored },
        resetScroll: false,
      })
  }, [address, search, view, navigate])
  const counts = [first, now.data].every((page) => page?.count_is_estimate === false)
  const newer = counts && !list.isPlaceholderData ? (now.data?.count ?? 0) - (first?.count ?? 0) : 0
  const showNew = () => {
    scrollTo({ top: 0 })
    void refreshRecordings(client, projectId, filter)
  }
  const nothing = first !== undefined && rows.length === 0
  // While a request is pending, the rows may still be those of the previous filter.
  const hidden = isFiltered(search) || list.isPlaceholderData
  return (
    <>
      <PageHeader title="Recordings" aside={<RecordingCount of={first} />}>
        {isFiltered(search) && <NewCollection query={listAddress(search)} />}
        <ImportRecording />
        {rows.length > 1 && <SummarizeAll filter={filter} />}
        <SaveView
          search={search}
          opened={view}
          onOpen={(id) => void navigate({ search: (now) => ({ ...now, view: id }), replace: true })}
        />
      </PageHeader>
      <ViewLinks />
      <IgnoredParameters />
      {(!nothing || hidden) && (
        <FilterBar
          search={search}
          onChange={change}
          fieldRef={fieldRef}
          ready={list.isSuccess && !list.isPlaceholderData}
        />
      )}
      <NewRecordings amount={newer} onShow={showNew} />
      <RecordingList
        found={found}
        address={view ? `${listAddress(search)}&view=${view}` : listAddress(search)}
        order={search}
        onOrder={change}
        fieldRef={fieldRef}
        empty={<NoRecordings />}
        filteredEmpty={hidden ? <NoMatches search={search} onChange={change} /> : null}
      />
    </>
  )
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Parameters that were not valid and have been dropped from the URL. */
    ignored?: string
  }
}

/** Says which parameters of the URL had no effect, until the filters change. */
function IgnoredParameters() {
  const ignored = useLocation({ select: ({ state }) => state.ignored })
  return (
    <output className="block text-short-ink">
      {ignored !== undefined && (
        <span className="mt-2 block wrap-anywhere">
          Not a valid filter, so it was dropped from the address: <code>{ignored.slice(0, 300)}</code>
        </span>
      )}
    </output>
  )
}
