import { formatInstant } from '../../../contract/instant.ts'
import { NullableRecording, SessionRecording } from '../../../contract/recordings/session-recording.ts'
import type { RecordingFacts } from '../../../contract/recordings/recording-facts.ts'
import { ongoingMs } from '../../recordings/filter/filter-rows.ts'
import { activityShares } from '../../snapshots/activity.ts'
import type { Services } from '../../services.ts'
import {
  recordingsWithDetails,
  detailsOf,
  type ListedRecording,
  type RecordingDetails,
} from '../../store/recordings/recording-details.ts'
import type { StoredFacts } from '../../store/schema/facts-tables.ts'
import { findRecording, type RecordingRow } from '../../store/recordings/session-recordings.ts'
import { shownAs } from '../shown-as.ts'

/** Returns a recording as the API shows it, with its person. */
export async function showRecording(services: Services, row: RecordingRow): Promise<SessionRecording> {
  const [shown] = await showRecordings(services, [row])
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
  rows: readonly ListedRecording[],
): Promise<SessionRecording[]> {
  const ids = rows.map((row) => row.id)
  const details = await detailsOf(store, ids, new Date(clock.now()))
  return rows.map((row) => showListed({ clock }, row, details.get(row.id)))
}

/** Returns the recordings with these ids, in the order of the ids, as the API shows them. */
export async function showById({ store, clock }: Services, ids: readonly number[]) {
  const rows = await recordingsWithDetails(store, ids, new Date(clock.now()))
  // Each row contains its details.
  return rows.map((row) => showListed({ clock }, row, row))
}

function showListed(
  { clock }: Pick<Services, 'clock'>,
  row: ListedRecording,
  detail: RecordingDetails | undefined,
): SessionRecording {
  return shownAs(SessionRecording, {
    ...row,
    id: row.session_id,
    viewed: row.viewed_at ? formatInstant(row.viewed_at) : '',
    person: showPerson(row.distinct_id, detail),
    storage: row.persisted_at ? 'object_storage_lts' : 'object_storage',
    ongoing: isOngoing({ clock }, row),
    activity: activityShares(row.activity, row.start_time.getTime(), row.end_time.getTime()),
    facts: showFacts(detail?.facts ?? null),
    shared: detail?.shared ?? false,
    note_count: detail?.note_count ?? 0,
  })
}

export function isOngoing(
  { clock }: Pick<Services, 'clock'>,
  row: Pick<RecordingRow, 'last_updated_at'>,
): boolean {
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

function showPerson(distinctId: string, details: RecordingDetails | undefined): SessionRecording['person'] {
  if (!details || details.person_id === null) {
    const distinct_ids = JSON.stringify([distinctId])
    return { id: null, name: null, distinct_ids, properties: {}, created_at: null, uuid: null }
  }
  return {
    id: details.person_id,
    name: personName(details.properties) ?? distinctId,
    distinct_ids: JSON.stringify(details.distinct_ids),
    properties: details.properties,
    created_at: formatInstant(details.created_at),
    uuid: details.uuid,
  }
}

/** Returns the first of email, name and username that is a non-empty string. */
export function personName(properties: Record<string, unknown>): string | null {
  const found = [properties['email'], properties['name'], properties['username']].find(
    (value) => typeof value === 'string' && value !== '',
  )
  return typeof found === 'string' ? found : null
}
