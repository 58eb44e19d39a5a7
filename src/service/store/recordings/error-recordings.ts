import { rowsOf, type Store } from '../schema/database.ts'

/** A session in which an error of a cluster occurred at `first` (ms since the epoch). */
export type ErrorSession = { cluster: number; id: string; first: number; isExample: boolean }

export type ErrorRecording = {
  cluster: number
  session_id: string
  /** Milliseconds since the epoch. */
  first: number
  start_time: Date
  recording_duration: number
  is_watched: boolean
  /** The same for all recordings of a person. */
  visitor: string
  /** Null unless the session is an example whose facts are known. */
  browser: string | null
  page: string | null
}

/** Returns the recordings of those sessions that have one, in the given order. */
export async function errorRecordings(store: Store, projectId: number, sessions: readonly ErrorSession[]) {
  return await rowsOf<ErrorRecording>(store)`
    SELECT given.cluster, given.session_id, given.first, recording.start_time, recording.recording_duration,
      recording.viewed_at IS NOT NULL AS is_watched,
      coalesce('person ' || own.person_id, recording.distinct_id) AS visitor, facts.browser,
      (SELECT page ->> 'label' FROM jsonb_array_elements(facts.facts -> 'pages') page
        WHERE (page ->> 'at')::bigint <= given.first - extract(epoch FROM recording.start_time) * 1000
        ORDER BY (page ->> 'at')::bigint DESC LIMIT 1) AS page
    FROM unnest(${sessions.map(({ cluster }) => cluster)}::integer[], ${sessions.map(({ id }) => id)}::text[],
        ${sessions.map(({ first }) => first)}::bigint[], ${sessions.map(({ isExample }) => isExample)}::boolean[])
      WITH ORDINALITY AS given (cluster, session_id, first, is_example, place)
    JOIN session_recordings recording
      ON recording.project_id = ${projectId} AND recording.session_id = given.session_id AND recording.deleted_at IS NULL
    LEFT JOIN person_distinct_ids own
      ON own.project_id = ${projectId} AND own.distinct_id = recording.distinct_id
    LEFT JOIN recording_facts facts ON given.is_example AND facts.recording_id = recording.id
    ORDER BY place`
}
