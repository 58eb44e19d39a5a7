import { useQueryClient, useQuery, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, use, useMemo, useState, type ReactNode, type RefObject, useCallback } from 'react'
import type { RecordingOrder } from '../../../contract/recordings/recording-filter.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import {
  queryString,
  type RecordingFilter,
  type RecordingsSearch,
} from '../../queries/recordings/recordings-search.ts'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { ListNotes, ListSkeleton } from '../../ui/list/list-notes.tsx'
import type { Sorting } from '../../ui/list/list-head.tsx'
import { ListView } from '../../ui/list/list-view.tsx'
import { useList, type List as RowList, type ListDescription } from '../../ui/list/use-list.ts'
import { useBulkProgress } from '../../queries/bulk-actions.ts'
import { useListKeys } from '../../ui/list/use-list-keys.ts'
import { useWidth } from '../../ui/use-width.ts'
import { namedRecordings } from '../../format/recording-name.ts'
import { recordingActions, type RecordingContext, type RecordingDialog } from './actions.ts'
import { cardColumns, columnsOf, shownColumns } from './columns.tsx'
import { useViewPreference, type Density, ColumnChoice } from './view-controls.tsx'
import { MatchedContext, useMatched, ListAddress, OfOnePerson, startBefore } from './recording-cells.tsx'
import { call } from '../../api/call.ts'
import { showRecordings, recordingsQuery } from '../../queries/recordings/recordings.ts'
import { lazyNamed } from '../../ui/lazy-named.ts'

const ShareDialog = lazyNamed(() => import('../sharing/share-dialog.tsx'), 'ShareDialog')
const CollectDialog = lazyNamed(() => import('../collect/collect-dialog.tsx'), 'CollectDialog')
const SummarizeDialog = lazyNamed(() => import('../summary/summarize-dialog.tsx'), 'SummarizeDialog')

type RecordingTable = ListDescription<SessionRecording, RecordingContext, RecordingOrder>

const recordingTable = {
  caption: 'Recordings',
  noun: 'recording',
  named: namedRecordings,
  paletteId: 'recordings',
  renderAllMax: 50,
} satisfies Partial<RecordingTable>

/** Height (px) of a row, and of a card. */
const rowHeights: Record<Density, number> = { compact: 40, roomy: 88 }
const cardHeights: Record<Density, number> = { compact: 166, roomy: 318 }

/** Width (px) below which the table shows cards. */
const cardsBelow = 640

type RecordingListProps = {
  found: ReturnType<typeof useRecordings>
  order: Order
  onOrder: (order: Order) => void
  /** The list's query string, without the question mark, if it is not that of the filter. */
  address?: string
  /** The search field above the list. */
  fieldRef?: RefObject<HTMLInputElement | null>
  /** Further actions on the rows; the same object until they change. */
  furtherActions?: RecordingTable['actions'] | undefined
  empty: ReactNode
  filteredEmpty?: ReactNode
}

/** Shows recordings in a list, with its notes, keys and dialogs. */
export function RecordingList(props: RecordingListProps) {
  const { found, empty, filteredEmpty } = props
  const { list, first, rows, more } = found
  const [width, ref] = useWidth()
  return (
    <>
      <ListNotes
        count={first && rows.length}
        error={list.isFetchNextPageError ? null : list.error}
        onRetry={() => void list.refetch()}
        empty={empty}
        filteredEmpty={filteredEmpty}
        loading={<ListSkeleton />}
      >
        <div ref={ref}>{width > 0 && <List {...props} width={width} />}</div>
      </ListNotes>
      {list.isFetchingNextPage && <output className="block p-3 text-center text-ink-3">Loading more…</output>}
      {list.isFetchNextPageError && <ProblemNote error={list.error} onRetry={more} />}
    </>
  )
}

/** `width`: of the table, in CSS pixels. */
type TableProps = RecordingListProps & { width: number }

function List(props: TableProps) {
  const { description, choice } = useTable(props)
  const { order, onOrder, fieldRef } = props
  const { list: query, first, rows, filter, more } = props.found
  const address = props.address ?? queryString(filter)
  const outdated = query.isPlaceholderData
  const onMore = query.hasNextPage && !query.isFetchNextPageError ? more : undefined
  const { projectId, scopes } = useAccount()
  const [dialog, openDialog] = useState<RecordingDialog | null>(null)
  const matched = useMatched(filter, rows)
  const list = useList<SessionRecording, RecordingContext, RecordingOrder>({
    description,
    context: {
      client: useQueryClient(),
      projectId,
      filter,
      navigate: useNavigate(),
      placeOf: (row) => ({
        list: address || undefined,
        row: rows.indexOf(row),
        t: startBefore(matched.get(row.id)),
      }),
      openDialog,
    },
    scopes,
    rows,
    filterKey: address,
    hasMore: onMore !== undefined && !outdated,
  })
  useLateFacts(list)
  useListKeys(list, { '/': { does: 'Search', run: () => fieldRef?.current?.focus() } })
  const close = () => openDialog(null)
  return (
    <ListAddress value={address}>
      <MatchedContext value={matched}>
        <ColumnChoice value={choice}>
          <ListView
            list={list}
            total={first?.count_is_estimate === false ? first.count : null}
            sorting={sortingBy(order, onOrder)}
            outdated={outdated}
            progress={useBulkProgress(projectId, 'recordings')}
            onMore={onMore}
          />
        </ColumnChoice>
      </MatchedContext>
      <Suspense>
        {dialog?.kind === 'share' && <ShareDialog rows={dialog.rows} onClose={close} />}
        {dialog?.kind === 'collect' && <CollectDialog rows={dialog.rows} filter={filter} onClose={close} />}
        {dialog?.kind === 'summarize' && <SummarizeDialog rows={dialog.rows} onClose={close} />}
      </Suspense>
    </ListAddress>
  )
}

/** Returns the table for this width and the browser's preference; the same object until its columns or rows change. */
function useTable({ found: { rows }, width, order, furtherActions }: TableProps) {
  const ofOnePerson = use(OfOnePerson)
  const { density, columns: chosen } = useViewPreference()
  const isCards = width < cardsBelow
  const all = isCards ? cardColumns : columnsOf(density)
  const view = { rows, width, chosen, order: order.order }
  const headers = shownColumns(all, view)
    .map(({ header }) => header)
    .join()
  return useMemo(() => {
    const shown = headers.split(',')
    const columns = all.filter(({ header }) => shown.includes(header))
    const rowHeight = (isCards ? cardHeights : rowHeights)[density]
    const { person, ...others } = recordingActions
    const actions = { ...others, ...(!ofOnePerson && { person }), ...furtherActions }
    const description: RecordingTable = { ...recordingTable, actions, columns, rowHeight }
    const optional = all.flatMap(({ header, value }) => (value ? header : []))
    return { description, choice: { all: optional, shown: optional.filter((each) => shown.includes(each)) } }
  }, [all, headers, isCards, density, furtherActions, ofOnePerson])
}

/** Sorts by a column on the first click, largest or newest first; reverses the order on the next. */
function sortingBy(now: Order, onOrder: (order: Order) => void): Sorting<RecordingOrder> {
  return {
    orderOf: (order) => {
      if (now.order !== order) return undefined
      return now.order_direction === 'ASC' ? 'ascending' : 'descending'
    },
    onSort: (order) => {
      const reversed = now.order === order && now.order_direction === 'DESC'
      onOrder({ order, order_direction: reversed ? 'ASC' : 'DESC' })
    },
  }
}

/** Recordings per request. */
const idsMax = 50
/** Delays (ms) between requests: each that brings nothing doubles the next. */
const delayMs = { first: 3_000, max: 60_000 }

/**
 * Asks again for the facts of rendered rows whose recordings the service had not read when the list was loaded. Only the facts
 * change, so rows keep their places.
 */
function useLateFacts({ rows, tableRef }: RowList<SessionRecording, RecordingContext, RecordingOrder>): void {
  const { projectId } = useAccount()
  const missing = new Set(rows.flatMap(({ id, facts }) => (facts ? [] : id)))
  useQuery({
    // More rows, or other ones, start with a short delay.
    queryKey: ['lateFacts', projectId, rows.length, missing.size],
    enabled: missing.size > 0,
    queryFn: async ({ signal, client }) => {
      const rendered = tableRef.current?.querySelectorAll('tr') ?? []
      const ids = [...rendered].flatMap(({ dataset }) => dataset['id'] ?? []).filter((id) => missing.has(id))
      if (ids.length === 0) return 0
      const query = { session_ids: JSON.stringify(ids.slice(0, idsMax)), limit: idsMax, offset: 0 }
      const params = { project_id: projectId }
      const { results } = await call('listSessionRecordings', { params, query }, { signal })
      const late = new Map(results.flatMap(({ id, facts }) => (facts ? [[id, { facts }]] : [])))
      showRecordings(client, late)
      return late.size
    },
    // The list itself has just said that these facts are missing.
    initialData: 0,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
    refetchInterval: ({ state: { dataUpdateCount, errorUpdateCount } }) =>
      Math.min(delayMs.max, delayMs.first * 2 ** (dataUpdateCount + errorUpdateCount)),
  })
}

export type Order = Pick<RecordingsSearch, 'order' | 'order_direction'>

/** The recordings that match a filter, as far as they are loaded. */
export function useRecordings(filter: RecordingFilter) {
  const { projectId } = useAccount()
  const list = useInfiniteQuery(recordingsQuery(projectId, filter))
  const pages = list.data?.pages
  const rows = useMemo(
    () => [...new Map(pages?.flatMap(({ results }) => results).map((row) => [row.id, row])).values()],
    [pages],
  )
  const { fetchNextPage } = list
  const more = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage])
  return { filter, list, first: pages?.[0], rows, more }
}

/** The recordings that match a filter, newest first or as the user orders them. */
export function useOrderedRecordings(matching: RecordingFilter) {
  const [order, onOrder] = useState<Order>({ order: 'start_time', order_direction: 'DESC' })
  const found = useRecordings(useMemo(() => ({ ...matching, ...order }), [matching, order]))
  return { found, order, onOrder }
}
