import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState, type ComponentProps, type ReactNode } from 'react'
import { useAccount } from '../../account.ts'
import { recordingsQuery } from '../../queries/recordings/recordings.ts'
import { ListNotes, ListSkeleton } from '../../ui/list/list-notes.tsx'
import { RecordingList, type Order } from './recording-list.tsx'

/** The recordings that match a filter, as far as they are loaded, newest first or as the user orders them. */
export function useFoundRecordings(matching: Record<string, string>) {
  const { projectId } = useAccount()
  const [order, setOrder] = useState<Order>({ order: 'start_time', order_direction: 'DESC' })
  const filter = useMemo(() => ({ ...matching, ...order }), [matching, order])
  const list = useInfiniteQuery(recordingsQuery(projectId, filter))
  const pages = list.data?.pages
  const [first] = pages ?? []
  const rows = useMemo(() => pages?.flatMap(({ results }) => results) ?? [], [pages])
  return { filter, order, setOrder, list, first, rows }
}

type FoundRecordingsProps = {
  found: ReturnType<typeof useFoundRecordings>
  empty: ReactNode
  filteredEmpty?: ReactNode
  furtherActions?: ComponentProps<typeof RecordingList>['furtherActions']
}

/** Shows them in a list, with its notes. */
export function FoundRecordings({ found, empty, filteredEmpty, furtherActions }: FoundRecordingsProps) {
  const { filter, order, setOrder, list, first, rows } = found
  const fieldRef = useRef<HTMLInputElement>(null)
  return (
    <ListNotes
      count={first && rows.length}
      error={list.isFetchNextPageError ? null : list.error}
      onRetry={() => void list.refetch()}
      empty={empty}
      filteredEmpty={filteredEmpty}
      loading={<ListSkeleton />}
    >
      <RecordingList
        rows={rows}
        total={first?.count_is_estimate === false ? first.count : null}
        address={new URLSearchParams(filter).toString()}
        filter={filter}
        order={order}
        onOrder={setOrder}
        fieldRef={fieldRef}
        furtherActions={furtherActions}
        outdated={list.isPlaceholderData}
        onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
      />
    </ListNotes>
  )
}
