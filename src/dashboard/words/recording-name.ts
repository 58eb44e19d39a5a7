import type { SessionRecording } from '../../contract/session-recording.ts'
import { visitName } from '../../contract/visit-name.ts'
import { counted } from './amount.ts'

/** Returns the name of a recorded visit. */
export function recordingName({ person, distinct_id: id }: SessionRecording): string {
  return visitName(person.name, id)
}

/** Names one recording after its person, and several by their number. */
export function namedRecordings(rows: readonly SessionRecording[]): string {
  const [only] = rows
  return rows.length === 1 && only
    ? `the recording of ${recordingName(only)}`
    : counted(rows.length, 'recording')
}
