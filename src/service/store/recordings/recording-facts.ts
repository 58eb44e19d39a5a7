import { sql } from 'kysely'
import { safeJson } from '../../engines/safe-text.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import type { RecordingRow } from './session-recordings.ts'
import type { StoredFacts } from '../schema/facts-tables.ts'

/** Milliseconds. */
const limits = {
  /** Without data, before a recording is read for the first time. */
  quiet: 5000,
  /** Without data, before it is read again; while a session continues, only when it has doubled in length. */
  quietAgain: 60_000,
  /** Within which a claimed recording must have been read. */
  claim: 120_000,
  /** Until a recording that could not be read is tried again. */
  retry: 3_600_000,
}
/** Failures after which a recording without new data is not read again. */
const failuresMax = 5

/** Returns the facts of those recordings that have any. */
export async function factsOf(store: Store, recordingIds: readonly number[]) {
  const rows = await rowsOf<{ recording_id: number; facts: StoredFacts }>(store)`
    SELECT recording_id, facts FROM recording_facts
    WHERE recording_id = ANY (${recordingIds}::bigint[]) AND facts IS NOT NULL`
  return new Map(rows.map(({ recording_id, facts }) => [recording_id, facts]))
}

/**
 * Claims recordings with new data, so that no other process reads them: one of each project in turn, newest data first.
 * `served`: the projects that have had a turn, the latest last.
 */
export async function claimUnread(
  store: Store,
  { now, limit, served }: { now: number; limit: number; served: readonly number[] },
) {
  const before = (ms: number) => new Date(now - ms)
  return await rowsOf<RecordingRow>(store)`
    WITH pending AS (
      SELECT next.id, next.project_id, next.start_time FROM projects CROSS JOIN LATERAL (
        SELECT *, row_number() OVER (ORDER BY last_updated_at DESC) AS place FROM (
          SELECT recording.id, recording.project_id, recording.start_time, last_updated_at
          FROM session_recordings recording LEFT JOIN recording_facts facts ON facts.recording_id = recording.id
          WHERE recording.project_id = projects.id AND deleted_at IS NULL
            AND (facts_made_at IS NULL OR facts_made_at < last_updated_at) AND last_updated_at <= ${before(limits.quiet)}
            AND (facts_made_at IS NULL OR last_updated_at <= ${before(limits.quietAgain)}
              OR last_updated_at - facts_made_at > facts_made_at - recording.created_at)
            AND (claimed_until IS NULL OR claimed_until < ${new Date(now)})
          ORDER BY last_updated_at DESC LIMIT ${limit}) AS newest) AS next
      ORDER BY place, array_position(${served}::integer[], next.project_id) NULLS FIRST, last_updated_at DESC
      LIMIT ${limit}),
    claimed AS (
      INSERT INTO recording_facts (recording_id, project_id, start_time, claimed_until)
      SELECT id, project_id, start_time, ${new Date(now + limits.claim)} FROM pending
      ON CONFLICT (recording_id) DO UPDATE SET claimed_until = excluded.claimed_until
        WHERE recording_facts.claimed_until IS NULL OR recording_facts.claimed_until < ${new Date(now)}
      RETURNING recording_id)
    SELECT recording.* FROM session_recordings recording JOIN claimed ON claimed.recording_id = recording.id
    WHERE deleted_at IS NULL ORDER BY last_updated_at DESC`
}

/** Stores the facts of a recording as of its `last_updated_at`, unless it has been deleted or newer facts are stored. */
export async function storeFacts(
  store: Store,
  { id, last_updated_at }: Pick<RecordingRow, 'id' | 'last_updated_at'>,
  facts: StoredFacts,
) {
  await sql`
    WITH recording AS (
      UPDATE session_recordings SET facts_made_at = ${last_updated_at}
      WHERE id = ${id} AND deleted_at IS NULL AND (facts_made_at IS NULL OR facts_made_at <= ${last_updated_at})
      RETURNING id, project_id, start_time)
    INSERT INTO recording_facts (recording_id, project_id, start_time, facts)
    SELECT id, project_id, start_time, ${safeJson(facts)}::jsonb FROM recording
    ON CONFLICT (recording_id) DO UPDATE
      SET start_time = excluded.start_time, facts = excluded.facts, claimed_until = NULL, failures = 0
  `.execute(store)
}

/** Replaces the summary's first sentence. */
export async function storeFirstSentence(store: Store, recordingId: number, sentence: string) {
  await sql`
    UPDATE recording_facts SET facts = jsonb_set(facts, '{summary}', to_jsonb(${sentence}::text))
    WHERE recording_id = ${recordingId} AND facts IS NOT NULL`.execute(store)
}

/** Records that a claimed recording could not be read, so that it is tried again later. */
export async function postponeRecording(
  store: Store,
  { id, last_updated_at }: Pick<RecordingRow, 'id' | 'last_updated_at'>,
  now: number,
) {
  await sql`
    WITH failed AS (
      UPDATE recording_facts SET failures = failures + 1, claimed_until = ${new Date(now + limits.retry)}
      WHERE recording_id = ${id} RETURNING failures)
    UPDATE session_recordings SET facts_made_at = ${last_updated_at}
    FROM failed WHERE id = ${id} AND failures >= ${failuresMax}`.execute(store)
}

/** Makes claimed recordings available again. */
export async function releaseRecordings(store: Store, recordingIds: readonly number[]) {
  await sql`UPDATE recording_facts SET claimed_until = NULL
    WHERE recording_id = ANY (${recordingIds}::bigint[])`.execute(store)
}
