import { deleteRecordings } from '../../recordings/delete-recordings.ts'
import { findRecordings } from '../../store/recordings/session-recordings.ts'
import type { Handler } from '../handler.ts'

export const deleteSessionRecording: Handler<'deleteSessionRecording'> = async ({ services, recording }) => {
  await deleteRecordings(services, [recording.id])
  return null
}

/** Deletes several recordings and skips unknown ids. */
export const bulkDeleteRecordings: Handler<'bulkDeleteRecordings'> = async ({ services, project, body }) => {
  const rows = await findRecordings(services.store, project.id, body.session_recording_ids)
  const ids = rows.map(({ id }) => id)
  const deleted_count = ids.length > 0 ? await deleteRecordings(services, ids) : 0
  return { success: true, deleted_count }
}
