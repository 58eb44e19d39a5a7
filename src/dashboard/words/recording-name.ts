import type { SessionRecording } from '../../contract/session-recording.ts'
import { counted } from './amount.ts'

/** Who was recorded: the person's name, else the id that the page knew them by. */
export function recordingName({
  person,
  distinct_id: id,
}: Pick<SessionRecording, 'person' | 'distinct_id'>): string {
  return person.name || id
}

/** One recording by who was recorded, several by their number. */
export function namedRecordings(rows: readonly SessionRecording[]): string {
  const [only] = rows
  return rows.length === 1 && only
    ? `the recording of ${recordingName(only)}`
    : counted(rows.length, 'recording')
}
