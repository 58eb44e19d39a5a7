import { formatInstant } from '../../../contract/instant.ts'
import { NullableRecording, SessionRecording } from '../../../contract/recordings/session-recording.ts'
import type { RecordingFacts } from '../../../contract/recordings/recording-facts.ts'
import { ongoingMs } from '../../recordings/filter/filter-rows.ts'
import { activityShares } from '../../snapshots/activity.ts'
import type { Services } from '../../services.ts'
import { personsOf, type RecordingPersonRow } from '../../store/recordings/recording-persons.ts'
import { detailsOf } from '../../store/recordings/recording-details.ts'
import type { StoredFacts } from '../../store/schema/facts-tables.ts'
import { findRecording, type RecordingRow } from '../../store/recordings/session-recordings.ts'
import { shownAs } from '../shown-as.ts'

/** Returns a recording as the API shows it, with its person. */
export async function showRecording(services: Services, row: RecordingRow): Promise<SessionRecording> {
  const [shown] = await showRecordings(services, row.project_id, [row])
  if (!shown) throw new Error('showRecordings returned no recording for a row')
  return shown
}

/** Returns the recording of a session; with no such recording, every key is null. */
export async function showSession(services: Services, projectId: number, sessionId: string | undefined) {
  const row = sessionId === undefined ? null : await findRecording(services.store, projectId, sessionId)
  return row ? await showRecording(services, row) : noRecording
}

export async function showRecordings(
  { store, clock }: Services,
  projectId: number,
  rows: readonly RecordingRow[],
): Promise<SessionRecording[]> {
  const ids = rows.map((row) => row.id)
  const distinctIds = rows.map((row) => row.distinct_id)
  const [persons, details] = await Promise.all([
    personsOf(store, projectId, distinctIds),
    detailsOf(store, ids, new Date(clock.now())),
  ])
  return rows.map((row) => {
    const { facts, shared, note_count } = details.get(row.id) ?? { facts: null, shared: false, note_count: 0 }
    return shownAs(SessionRecording, {
      ...row,
      id: row.session_id,
      viewed: row.viewed_at ? formatInstant(row.viewed_at) : '',
      person: showPerson(row.distinct_id, persons.get(row.distinct_id)),
      storage: row.persisted_at ? 'object_storage_lts' : 'object_storage',
      ongoing: isOngoing({ clock }, row),
      activity: activityShares(row.activity, row.start_time.getTime(), row.end_time.getTime()),
      facts: showFacts(facts),
      shared,
      note_count,
    })
  })
}

export function isOngoing({ clock }: Pick<Services, 'clock'>, row: RecordingRow): boolean {
  return clock.now() - row.last_updated_at.getTime() < ongoingMs
}

function showFacts(facts: StoredFacts | null): RecordingFacts | null {
  if (!facts) return null
  const { rage_click_count: _rage, left_form: _form, time: _time, ...shown } = facts
  return shown
}

const noRecording = Object.fromEntries(
  Object.keys(NullableRecording.shape).map((key) => [key, null]),
) as NullableRecording

function showPerson(distinctId: string, person: RecordingPersonRow | undefined): SessionRecording['person'] {
  if (!person) {
    const distinct_ids = JSON.stringify([distinctId])
    return { id: null, name: null, distinct_ids, properties: {}, created_at: null, uuid: null }
  }
  return {
    id: person.id,
    name: personName(person.properties) ?? distinctId,
    distinct_ids: JSON.stringify(person.distinct_ids),
    properties: person.properties,
    created_at: formatInstant(person.created_at),
    uuid: person.uuid,
  }
}

/** Returns the first of email, name and username that is a non-empty string. */
export function personName(properties: Record<string, unknown>): string | null {
  const found = [properties['email'], properties['name'], properties['username']].find(
    (value) => typeof value === 'string' && value !== '',
  )
  return typeof found === 'string' ? found : null
}
