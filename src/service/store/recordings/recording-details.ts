import { rowsOf, type Store } from '../schema/database.ts'
import type { StoredFacts } from '../schema/facts-tables.ts'
import { isOpen } from './recording-sharing.ts'

/** What other tables know of a recording. */
type RecordingDetails = {
  recording_id: number
  /** Null before they have been read. */
  facts: StoredFacts | null
  /** Whether a link to the recording is open. */
  shared: boolean
  note_count: number
}

/** Returns the details of recordings by their ids. One statement costs less than one per table. */
export async function detailsOf(store: Store, recordingIds: readonly number[], now: Date) {
  const rows = await rowsOf<RecordingDetails>(store)`
    SELECT given.id AS recording_id, facts.facts,
      EXISTS (SELECT FROM session_recording_sharing WHERE recording_id = given.id AND ${isOpen(now)}) AS shared,
      (SELECT count(*) FROM recording_notes WHERE recording_id = given.id) AS note_count
    FROM unnest(${recordingIds}::bigint[]) AS given (id) LEFT JOIN recording_facts facts ON facts.recording_id = given.id`
  return new Map(rows.map((row) => [row.recording_id, row]))
}
