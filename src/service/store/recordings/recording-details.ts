import { sql } from 'kysely'
import { preparedRowsOf, type Store } from '../schema/database.ts'
import type { StoredFacts } from '../schema/facts-tables.ts'
import type { RecordingPersonRow } from './recording-persons.ts'
import { isOpen } from './recording-sharing.ts'
import type { RecordingRow } from './session-recordings.ts'

type Person = Pick<RecordingPersonRow, 'uuid' | 'properties' | 'created_at' | 'distinct_ids'> & {
  person_id: number
}

/** What other tables store about a recording; `person_id` is null if the visitor was never identified. */
export type RecordingDetails = {
  recording_id: number
  /** Null before they have been read. */
  facts: StoredFacts | null
  /** Whether a link to the recording is open. */
  shared: boolean
  note_count: number
} & (Person | { person_id: null })

const listedNames = [
  'id',
  'project_id',
  'session_id',
  'distinct_id',
  'snapshot_source',
  'start_time',
  'end_time',
  'recording_duration',
  'active_seconds',
  'inactive_seconds',
  'activity',
  'click_count',
  'keypress_count',
  'mouse_activity_count',
  'console_log_count',
  'console_warn_count',
  'console_error_count',
  'failed_request_count',
  'dropped_events',
  'start_url',
  'last_updated_at',
  'viewed_at',
  'persisted_at',
] as const satisfies readonly (keyof RecordingRow)[]
const listedColumns = sql.join(listedNames.map((name) => sql.ref(`recording.${name}`)))
/** What lists show of a recording: half of the columns, which are read in half the time. */
export type ListedRecording = Pick<RecordingRow, (typeof listedNames)[number]>

/** Returns the recordings with these ids, in the order of the ids. */
export async function recordingsById(store: Store, ids: readonly number[]) {
  if (ids.length === 0) return []
  return await preparedRowsOf<ListedRecording>(store)`
    SELECT ${listedColumns} FROM unnest(${ids}::bigint[]) WITH ORDINALITY AS given (id, number)
    JOIN session_recordings recording USING (id) WHERE deleted_at IS NULL ORDER BY number`
}

/** Returns the details of recordings by their ids. One statement costs less than one per table. */
export async function detailsOf(store: Store, recordingIds: readonly number[], now: Date) {
  if (recordingIds.length === 0) return new Map<number, RecordingDetails>()
  const rows = await preparedRowsOf<RecordingDetails>(store)`
    SELECT ${detailColumns(now)} FROM session_recordings recording ${detailJoins}
    WHERE recording.id = ANY (${recordingIds}::bigint[])`
  return new Map(rows.map((row) => [row.recording_id, row]))
}

/** Returns the recordings with these ids and their details, in the order of the ids. */
export async function recordingsWithDetails(store: Store, ids: readonly number[], now: Date) {
  if (ids.length === 0) return []
  return await preparedRowsOf<ListedRecording & RecordingDetails>(store)`
    SELECT ${listedColumns}, ${detailColumns(now)} FROM unnest(${ids}::bigint[]) WITH ORDINALITY AS given (id, number)
    JOIN session_recordings recording ON recording.id = given.id ${detailJoins}
    WHERE recording.deleted_at IS NULL ORDER BY number`
}

/** Links are counted, because the planner would answer EXISTS by reading the links of all recordings. */
const detailColumns = (now: Date) => sql`recording.id AS recording_id, facts.facts,
  (SELECT count(*) > 0 FROM session_recording_sharing WHERE recording_id = recording.id AND ${isOpen(now)}) AS shared,
  (SELECT count(*) FROM recording_notes WHERE recording_id = recording.id) AS note_count,
  person.id AS person_id, person.uuid, person.properties, person.created_at,
  ARRAY(SELECT own.distinct_id FROM person_distinct_ids own WHERE own.person_id = person.id
    ORDER BY own.distinct_id LIMIT 10) AS distinct_ids`

const detailJoins = sql`LEFT JOIN recording_facts facts ON facts.recording_id = recording.id
  LEFT JOIN person_distinct_ids visitor ON visitor.project_id = recording.project_id AND visitor.distinct_id = recording.distinct_id
  LEFT JOIN persons person ON person.id = visitor.person_id`
