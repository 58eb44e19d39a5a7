import type { Updateable } from 'kysely'
import { notFound } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import type { SessionRecordingsTable } from '../../store/database.ts'
import { updateRecording, type RecordingRow } from '../../store/session-recordings.ts'
import type { Handler } from '../handler.ts'
import { showRecording } from './show-recording.ts'

export const getSessionRecording: Handler<'getSessionRecording'> = ({ services, recording }) =>
  showRecording(services, recording)

export const updateSessionRecording: Handler<'updateSessionRecording'> = async (request) => {
  const { services, recording, body } = request
  await change(services, recording, { viewed_at: body.viewed ? new Date(services.clock.now()) : null })
  return { success: true }
}

/** Keeps a recording past the retention period. Idempotent: no response shows the time of the last call. */
export const persistSessionRecording: Handler<'persistSessionRecording'> = async ({
  services,
  recording,
}) => {
  const row = await change(services, recording, { persisted_at: new Date(services.clock.now()) })
  return { ...(await showRecording(services, row)), success: true }
}

async function change(
  { store }: Services,
  { id }: RecordingRow,
  changes: Updateable<SessionRecordingsTable>,
): Promise<RecordingRow> {
  const row = await updateRecording(store, id, changes)
  if (!row) throw notFound('Recording not found')
  return row
}
