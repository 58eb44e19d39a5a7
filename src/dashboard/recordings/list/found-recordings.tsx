import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState, type ComponentProps, type ReactNode } from 'react'
import { useAccount } from '../../account.ts'
import { recordingsQuery } from '../../queries/recordings/recordings.ts'
import { queryString, type RecordingFilter } from '../../queries/recordings/recordings-search.ts'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { ListNotes, ListSkeleton } from '../../ui/list/list-notes.tsx'
import { RecordingList, type Order } from './recording-list.tsx'

/** The recordings that match a filter, as far as they are loaded. */
export function useRecordings(filter: RecordingFilter) {
  const { projectId } = useAccount()
  const list = useInfiniteQuery(recordingsQuery(projectId, filter))
  const pages = list.data?.pages
  const rows = useMemo(
    () => [...new Map(pages?.flatMap(({ results }) => results).map((row) => [row.id, row])).values()],
    [pages],
  )
  return { filter, list, first: pages?.[0], rows }
}

/** The recordings that match a filter, newest first or as the user orders them. */
export function useFoundRecordings(matching: RecordingFilter) {
  const [order, onOrder] = useState<Order>({ order: 'start_time', order_direction: 'DESC' })
  const filter = useMemo(() => ({ ...matching, ...order }), [matching, order])
  return { ...useRecordings(filter), order, onOrder }
}

type FoundRecordingsProps = Pick<
  ComponentProps<typeof RecordingList>,
  'order' | 'onOrder' | 'fieldRef' | 'furtherActions'
> & {
  found: ReturnType<typeof useRecordings>
  /** The list's query string, if it is not that of the filter. */
  address?: string
  empty: ReactNode
  filteredEmpty?: ReactNode
}

/** Shows recordings in a list, with its notes. */
export function FoundRecordings({ found, address, empty, filteredEmpty, ...rest }: FoundRecordingsProps) {
  const { filter, list, first, rows } = found
  const { fetchNextPage } = list
  const more = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage])
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
        <RecordingList
          {...rest}
          rows={rows}
          total={first?.count_is_estimate === false ? first.count : null}
          address={address ?? queryString(filter)}
          filter={filter}
          outdated={list.isPlaceholderData}
          onMore={list.hasNextPage && !list.isFetchNextPageError ? more : undefined}
        />
      </ListNotes>
      {list.isFetchingNextPage && <output className="block p-3 text-center text-ink-3">Loading more…</output>}
      {list.isFetchNextPageError && <ProblemNote error={list.error} onRetry={more} />}
    </>
  )
}
