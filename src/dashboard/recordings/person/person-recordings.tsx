import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import type { Person } from '../../../contract/recordings/person.ts'
import { useAccount } from '../../account.ts'
import { recordingsQuery } from '../../queries/recordings/recordings.ts'
import type { RecordingsSearch } from '../../queries/recordings/recordings-search.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ListNotes, ListSkeleton, NoMatches } from '../../ui/list/list-notes.tsx'
import { usePreferences } from '../../format/preferences.ts'
import { RecordingList } from '../list/recording-list.tsx'
import { OfOnePerson } from '../list/recording-cells.tsx'
import { boundsOfDay } from './days.ts'

type Order = Pick<RecordingsSearch, 'order' | 'order_direction'>

/** The filter of the recordings list that a person's recordings match: one distinct id stands for all. */
export function recordingsFilter({ distinct_ids: [id] }: Person) {
  return { distinct_ids: JSON.stringify([id]) }
}

type PersonRecordingsProps = {
  person: Person
  /** Only the recordings of this day. */
  day: string | undefined
  onDay: (day: undefined) => void
}

/** A person's recordings as the list of recordings shows them. */
export function PersonRecordings({ person, day, onDay }: PersonRecordingsProps) {
  const { projectId } = useAccount()
  const { zone } = usePreferences()
  const fieldRef = useRef<HTMLInputElement>(null)
  const [order, setOrder] = useState<Order>({ order: 'start_time', order_direction: 'DESC' })
  const filter = useMemo(
    () => ({ ...recordingsFilter(person), ...(day !== undefined && boundsOfDay(day, zone)), ...order }),
    [person, day, zone, order],
  )
  const list = useInfiniteQuery(recordingsQuery(projectId, filter))
  const pages = list.data?.pages
  const [first] = pages ?? []
  const rows = useMemo(() => pages?.flatMap(({ results }) => results) ?? [], [pages])
  return (
    <ListNotes
      count={first && rows.length}
      error={list.isFetchNextPageError ? null : list.error}
      onRetry={() => void list.refetch()}
      empty={
        <EmptyState title="No recordings">
          <p>
            This person was never recorded, or the recordings were deleted or have expired. The events remain.
          </p>
        </EmptyState>
      }
      filteredEmpty={
        day === undefined ? null : (
          <NoMatches
            title="No recordings on this day"
            clear="Show all recordings"
            onClear={() => onDay(undefined)}
          />
        )
      }
      loading={<ListSkeleton />}
    >
      <OfOnePerson value>
        <RecordingList
          rows={rows}
          total={first?.count_is_estimate === false ? first.count : null}
          address={new URLSearchParams(filter).toString()}
          filter={filter}
          order={order}
          onOrder={setOrder}
          fieldRef={fieldRef}
          outdated={list.isPlaceholderData}
          onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
        />
      </OfOnePerson>
    </ListNotes>
  )
}
