import { sql } from 'kysely'
import type { PersonRecording } from '../../../contract/recordings/person.ts'
import type { Store } from '../schema/database.ts'
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
): Promise<StoredPerson | undefined> {
  const { rows } = await sql<StoredPerson>`
    SELECT uuid, properties, created_at, person_name(properties) AS name,
      (SELECT count(*) FROM person_distinct_ids own WHERE own.person_id = person.id) AS distinct_id_count,
      ARRAY(SELECT own.distinct_id FROM person_distinct_ids own WHERE own.person_id = person.id
        ORDER BY own.distinct_id <> ${distinctId}, own.distinct_id LIMIT ${distinctIdsMax}) AS distinct_ids
    FROM persons person WHERE person.id = coalesce(
      (SELECT id FROM persons WHERE project_id = ${projectId} AND uuid = ${uuid}::uuid),
      (SELECT person_id FROM person_distinct_ids WHERE project_id = ${projectId} AND distinct_id = ${distinctId}))`.execute(
    store,
  )
  return rows[0]
}

export type FoundPersonRow = { uuid: string; name: string | null; distinct_ids: string[] }

/** Finds persons by a part of their name or by a distinct id: first that id's, then those whose name begins with the text. */
export async function searchPersons(
  store: Store,
  projectId: number,
  text: string,
): Promise<FoundPersonRow[]> {
  const escaped = text.replaceAll(/[\\%_]/g, String.raw`\$&`)
  const { rows } = await sql<FoundPersonRow>`
    WITH named AS (
      SELECT id FROM persons WHERE project_id = ${projectId} AND person_name(properties) ILIKE ${`%${escaped}%`} LIMIT ${sortedMax}
    ), identified AS (
      SELECT person_id AS id FROM person_distinct_ids WHERE project_id = ${projectId} AND distinct_id = ${text}
    )
    SELECT uuid, person_name(properties) AS name, ARRAY(SELECT own.distinct_id FROM person_distinct_ids own
      WHERE own.person_id = person.id ORDER BY own.distinct_id LIMIT 10) AS distinct_ids
    FROM persons person WHERE id IN (SELECT id FROM named UNION SELECT id FROM identified)
    ORDER BY id IN (SELECT id FROM identified) DESC, person_name(properties) ILIKE ${`${escaped}%`} DESC NULLS LAST,
      person_name(properties), id LIMIT ${foundMax}`.execute(store)
  return rows
}

export type RecordingNumbers = {
  total: number
  active_seconds: number
  console_errors: number
  first: Date | null
  last: Date | null
}

/** Returns the numbers of all recordings of these distinct ids together. */
export async function recordingNumbers(
  store: Store,
  projectId: number,
  distinctIds: readonly string[],
): Promise<RecordingNumbers> {
  const { rows } = await sql<RecordingNumbers>`
    SELECT count(*) AS total, coalesce(sum(active_seconds), 0) AS active_seconds,
      coalesce(sum(console_error_count), 0)::bigint AS console_errors, min(start_time) AS first, max(end_time) AS last
    FROM session_recordings
    WHERE project_id = ${projectId} AND distinct_id = ANY (${distinctIds}::text[]) AND deleted_at IS NULL`.execute(
    store,
  )
  const [numbers] = rows
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
): Promise<RecordingTime[]> {
  const { rows } = await sql<RecordingTime>`
    SELECT recording.start_time, recording.console_error_count, facts.outcome
    FROM session_recordings recording LEFT JOIN recording_facts facts ON facts.recording_id = recording.id
    WHERE recording.project_id = ${projectId} AND recording.distinct_id = ANY (${distinctIds}::text[])
      AND recording.deleted_at IS NULL
    ORDER BY recording.start_time DESC, recording.id DESC LIMIT ${limit}`.execute(store)
  return rows
}

/** Whether the project has a recording of this distinct id, which contains no null characters. */
export async function hasRecordings(store: Store, projectId: number, distinctId: string): Promise<boolean> {
  const row = await store
    .selectFrom('session_recordings')
    .select('id')
    .where('project_id', '=', projectId)
    .where('distinct_id', '=', distinctId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
