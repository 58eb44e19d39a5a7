import type { PersonRecording } from '../../../contract/recordings/person.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import type { PersonRow } from './recording-persons.ts'

/** Distinct ids of a person that queries read, at most. */
const distinctIdsMax = 1000
const foundMax = 20
/** Persons with matching names that a search sorts, at most. */
const sortedMax = 1000

export type StoredPerson = Pick<PersonRow, 'uuid' | 'properties' | 'created_at'> & {
  name: string | null
  distinct_ids: string[]
  distinct_id_count: number
}

/** Finds a person by UUID (null to skip) or by a distinct id; neither contains null characters. */
export async function findStoredPerson(
  store: Store,
  projectId: number,
  uuid: string | null,
  distinctId: string,
) {
  const [person] = await rowsOf<StoredPerson>(store)`
    SELECT uuid, properties, created_at, person_name(properties) AS name,
      (SELECT count(*) FROM person_distinct_ids own WHERE own.person_id = person.id) AS distinct_id_count,
      ARRAY(SELECT own.distinct_id FROM person_distinct_ids own WHERE own.person_id = person.id
        ORDER BY own.distinct_id <> ${distinctId}, own.distinct_id LIMIT ${distinctIdsMax}) AS distinct_ids
    FROM persons person WHERE person.id = coalesce(
      (SELECT id FROM persons WHERE project_id = ${projectId} AND uuid = ${uuid}::uuid),
      (SELECT person_id FROM person_distinct_ids WHERE project_id = ${projectId} AND distinct_id = ${distinctId}))`
  return person
}

/** Finds persons by a part of their name or by a distinct id: first that id's, then those whose name begins with the text. */
export async function searchPersons(store: Store, projectId: number, text: string) {
  const escaped = text.replaceAll(/[\\%_]/g, String.raw`\$&`)
  return await rowsOf<Pick<StoredPerson, 'uuid' | 'name' | 'distinct_ids'>>(store)`
    WITH named AS (
      SELECT id FROM persons WHERE project_id = ${projectId} AND person_name(properties) ILIKE ${`%${escaped}%`} LIMIT ${sortedMax}
    ), identified AS (
      SELECT person_id AS id FROM person_distinct_ids WHERE project_id = ${projectId} AND distinct_id = ${text}
    )
    SELECT uuid, person_name(properties) AS name, ARRAY(SELECT own.distinct_id FROM person_distinct_ids own
      WHERE own.person_id = person.id ORDER BY own.distinct_id LIMIT 10) AS distinct_ids
    FROM persons person WHERE id IN (SELECT id FROM named UNION SELECT id FROM identified)
    ORDER BY id IN (SELECT id FROM identified) DESC, person_name(properties) ILIKE ${`${escaped}%`} DESC NULLS LAST,
      person_name(properties), id LIMIT ${foundMax}`
}

type RecordingNumbers = {
  total: number
  active_seconds: number
  console_errors: number
  first: Date | null
  last: Date | null
}

/** Returns the numbers of all recordings of these distinct ids together. */
export async function recordingNumbers(store: Store, projectId: number, distinctIds: readonly string[]) {
  const [numbers] = await rowsOf<RecordingNumbers>(store)`
    SELECT count(*) AS total, coalesce(sum(active_seconds), 0) AS active_seconds,
      coalesce(sum(console_error_count), 0)::bigint AS console_errors, min(start_time) AS first, max(end_time) AS last
    FROM session_recordings
    WHERE project_id = ${projectId} AND distinct_id = ANY (${distinctIds}::text[]) AND deleted_at IS NULL`
  if (!numbers) throw new Error('an aggregate returns a row')
  return numbers
}

type RecordingTime = Omit<PersonRecording, 'start_time'> & { start_time: Date }

/** Returns when the recordings of these distinct ids began and how they ended, newest first. */
export async function recordingTimes(
  store: Store,
  projectId: number,
  distinctIds: readonly string[],
  limit: number,
) {
  return await rowsOf<RecordingTime>(store)`
    SELECT recording.start_time, recording.console_error_count, facts.outcome
    FROM session_recordings recording LEFT JOIN recording_facts facts ON facts.recording_id = recording.id
    WHERE recording.project_id = ${projectId} AND recording.distinct_id = ANY (${distinctIds}::text[])
      AND recording.deleted_at IS NULL
    ORDER BY recording.start_time DESC, recording.id DESC LIMIT ${limit}`
}

/** Whether the project has a recording of this distinct id, which contains no null characters. */
export async function hasRecordings(store: Store, projectId: number, distinctId: string) {
  const found = await rowsOf(store)`SELECT FROM session_recordings
    WHERE project_id = ${projectId} AND distinct_id = ${distinctId} AND deleted_at IS NULL LIMIT 1`
  return found.length > 0
}
