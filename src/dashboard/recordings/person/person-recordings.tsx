import { useMemo } from 'react'
import type { Person } from '../../../contract/recordings/person.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { NoMatches } from '../../ui/list/list-notes.tsx'
import { usePreferences } from '../../format/preferences.ts'
import { FoundRecordings, useFoundRecordings } from '../list/found-recordings.tsx'
import { OfOnePerson } from '../list/recording-cells.tsx'
import { boundsOfDay } from './days.ts'

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
  const { zone } = usePreferences()
  const filter = useMemo(
    () => ({ ...recordingsFilter(person), ...(day !== undefined && boundsOfDay(day, zone)) }),
    [person, day, zone],
  )
  const { order, onOrder, ...found } = useFoundRecordings(filter)
  return (
    <OfOnePerson value>
      <FoundRecordings
        {...{ found, order, onOrder }}
        empty={
          <EmptyState title="No recordings">
            <p>
              This person was never recorded, or the recordings were deleted or have expired. The events
              remain.
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
      />
    </OfOnePerson>
  )
}
