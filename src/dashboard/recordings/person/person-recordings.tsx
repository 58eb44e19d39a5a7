import { useMemo } from 'react'
import type { Person } from '../../../contract/recordings/person.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { NoMatches } from '../../ui/list/list-notes.tsx'
import { usePreferences } from '../../format/preferences.ts'
import { RecordingList } from '../list/recording-list.tsx'
import { useOrderedRecordings } from '../list/use-recordings.ts'
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
  onAllDays: () => void
}

/** A person's recordings as the list of recordings shows them. */
export function PersonRecordings({ person, day, onAllDays }: PersonRecordingsProps) {
  const { zone } = usePreferences()
  const filter = useMemo(
    () => ({ ...recordingsFilter(person), ...(day !== undefined && boundsOfDay(day, zone)) }),
    [person, day, zone],
  )
  const ordered = useOrderedRecordings(filter)
  const noMatches = (
    <NoMatches title="No recordings on this day" clear="Show all recordings" onClear={onAllDays} />
  )
  return (
    <OfOnePerson value>
      <RecordingList
        {...ordered}
        empty={
          <EmptyState title="No recordings">
            This person was never recorded, or the recordings were deleted or have expired. The events remain.
          </EmptyState>
        }
        filteredEmpty={day === undefined ? null : noMatches}
      />
    </OfOnePerson>
  )
}
