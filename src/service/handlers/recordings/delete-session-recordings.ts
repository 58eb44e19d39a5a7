import { deleteRecordings } from '../../recordings/delete-recordings.ts'
import type { Handler } from '../handler.ts'

export const deleteSessionRecording: Handler<'deleteSessionRecording'> = async ({ services, recording }) => {
  await deleteRecordings(services, [recording.id])
  return null
}

/** Ids that are not there are skipped. */
export const bulkDeleteRecordings: Handler<'bulkDeleteRecordings'> = async ({ services, projects, body }) => {
  const rows = await services.store
    .selectFrom('session_recordings')
    .select('id')
    .where(
      'project_id',
      'in',
      projects.map(({ id }) => id),
    )
    .where('session_id', 'in', body.session_recording_ids)
    .where('deleted_at', 'is', null)
    .execute()
  const deleted_count =
    rows.length > 0
      ? await deleteRecordings(
          services,
          rows.map(({ id }) => id),
        )
      : 0
  return { success: true, deleted_count }
}
