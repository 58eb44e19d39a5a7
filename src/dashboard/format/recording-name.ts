import type { SessionRecording } from '../../contract/recordings/session-recording.ts'
import { isNamed, visitorName } from '../../contract/recordings/visitor-name.ts'
import { counted } from './amount.ts'

/** The fields of a recording that identify its visitor. */
export type Visitor = Pick<SessionRecording, 'distinct_id'> & {
  person: Pick<SessionRecording['person'], 'uuid' | 'name'>
}

/** Returns a recording's name, which is its visitor's. */
export function recordingName({ person, distinct_id: id }: Visitor): string {
  return visitorName(person.name, id)
}

/** Returns the id in the address of a visitor's page: the distinct id if the visitor's two words derive from it. */
export function personIdOf({ person, distinct_id: id }: Visitor): string {
  return person.uuid !== null && isNamed(person.name, id) ? person.uuid : id
}

/** Names one recording after its person, and several by their number. */
export function namedRecordings(rows: readonly SessionRecording[]): string {
  const [only] = rows
  return rows.length === 1 && only
    ? `the recording of ${recordingName(only)}`
    : counted(rows.length, 'recording')
}
