import { sql } from 'kysely'
import { personIdOf } from '../capture/persons/person-id.ts'
import { safeJson } from '../engines/safe-text.ts'
import type { Services } from '../services.ts'
import { rowsOf, type StoreTransaction } from '../store/schema/database.ts'
import { personsOf } from '../store/recordings/recording-persons.ts'
import { factsOf } from '../store/recordings/recording-facts.ts'
import type { RecordingRow } from '../store/recordings/session-recordings.ts'
import type { StoredFacts } from '../store/schema/facts-tables.ts'
import { holdWatermark } from '../store/runs/watermark.ts'
import { countsOf } from './recording-counts.ts'

const batchMax = 200
/** Time (ms) after a session's last data before it is mirrored, and before it is mirrored even without its facts. */
const quietMs = 5 * 60_000
const factsMs = 2 * quietMs

/**
 * Copies a batch of recordings to the warehouse, for exports, five minutes after their last data; resolves to the number
 * found. A crash before the commit repeats the batch: the warehouse keeps the first arrival of a recording's version.
 */
export async function mirrorRecordings(services: Pick<Services, 'store' | 'warehouse' | 'clock'>) {
  const { store, warehouse, clock } = services
  return await store.transaction().execute(async (transaction) => {
    // Those with the oldest data first; other processes skip the locked ones.
    const recordings = await rowsOf<RecordingRow>(transaction)`
      SELECT * FROM session_recordings
      WHERE deleted_at IS NULL AND (mirrored_at IS NULL OR mirrored_at < last_updated_at)
        AND last_updated_at <= ${new Date(clock.now() - quietMs)}
        AND (facts_made_at >= last_updated_at OR last_updated_at <= ${new Date(clock.now() - factsMs)})
      ORDER BY last_updated_at LIMIT ${batchMax} FOR UPDATE SKIP LOCKED`
    if (recordings.length === 0) return 0
    const ids = recordings.map(({ id }) => id)
    const facts = await factsOf(transaction, ids)
    const personIds = await personIdsOf(transaction, recordings)
    const inserted_at = new Date(await holdWatermark(transaction, clock)).toISOString()
    const lines = recordings.map((row) =>
      safeJson({ ...rowOf(row, facts.get(row.id)), person_id: personIds.get(row.id), inserted_at }),
    )
    await warehouse.insert('recordings', lines.join('\n'))
    await sql`UPDATE session_recordings SET mirrored_at = last_updated_at
      WHERE id = ANY (${ids}::bigint[])`.execute(transaction)
    return recordings.length
  })
}

/** Returns the UUID of each recording's person. */
async function personIdsOf(transaction: StoreTransaction, recordings: readonly RecordingRow[]) {
  const found = new Map<number, string>()
  for (const [project, rows] of Map.groupBy(recordings, ({ project_id }) => project_id)) {
    const distinctIds = rows.map((row) => row.distinct_id)
    const persons = await personsOf(transaction, project, distinctIds)
    for (const { id, distinct_id } of rows)
      found.set(id, persons.get(distinct_id)?.uuid ?? personIdOf(project, distinct_id))
  }
  return found
}

function rowOf(row: RecordingRow, facts: StoredFacts | undefined) {
  return {
    team_id: row.project_id,
    session_id: row.session_id,
    version: row.last_updated_at.getTime(),
    distinct_id: row.distinct_id,
    start_time: row.start_time.toISOString(),
    end_time: row.end_time.toISOString(),
    duration: row.recording_duration,
    ...countsOf(row),
    start_url: row.start_url,
    pages: JSON.stringify(facts?.pages ?? []),
    outcome: JSON.stringify(facts?.outcome ?? null),
    problems: JSON.stringify(facts?.problems ?? []),
    browser: facts?.browser ?? null,
    os: facts?.os ?? null,
    device: facts?.device ?? null,
    country: facts?.country ?? null,
    summary: facts?.summary ?? null,
    snapshot_source: row.snapshot_source,
  }
}
