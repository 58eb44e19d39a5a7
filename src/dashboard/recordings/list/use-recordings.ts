import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useAccount } from '../../account.ts'
import { recordingsQuery } from '../../queries/recordings/recordings.ts'
import type { RecordingFilter, RecordingsSearch } from '../../queries/recordings/recordings-search.ts'

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
