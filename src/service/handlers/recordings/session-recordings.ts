import type { Updateable } from 'kysely'
import { formatInstant } from '../../../contract/instant.ts'
import { notFound } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import type { SessionRecordingsTable } from '../../store/schema/recording-tables.ts'
import { addWatcher, listWatchers, removeWatcher } from '../../store/recordings/recording-watchers.ts'
import { findRecordings, type RecordingRow } from '../../store/recordings/session-recordings.ts'
import { updateRow } from '../../store/schema/rows.ts'
import type { Handler } from '../handler.ts'
import { showRecording } from './show-recording.ts'
import { deleteRecordings } from '../../recordings/delete-recordings.ts'

/** Largest number of watchers in a response. */
const watchersMax = 20

export const getSessionRecording: Handler<'getSessionRecording'> = async ({ services, recording }) => {
  const [shown, watchers] = await Promise.all([
    showRecording(services, recording),
    listWatchers(services.store, recording.id, watchersMax),
  ])
  return { ...shown, watchers: watchers.map(({ name, at }) => ({ name, at: formatInstant(at) })) }
}

/** Marking a recording as watched also stores the key's user as a watcher; the opposite removes that user only. */
export const updateSessionRecording: Handler<'updateSessionRecording'> = async (request) => {
  const { services, caller, recording, body } = request
  const watcher = { userId: caller.userId, name: caller.name }
  const at = new Date(services.clock.now())
  await change(services, recording, { viewed_at: body.viewed ? at : null })
  if (body.viewed) await addWatcher(services.store, recording, { ...watcher, at })
  else await removeWatcher(services.store, recording, watcher)
  return { success: true }
}

/** Keeps a recording past the retention period. Idempotent: no response shows the time of the last call. */
export const persistSessionRecording: Handler<'persistSessionRecording'> = async (request) => {
  const { services, recording } = request
  const row = await change(services, recording, { persisted_at: new Date(services.clock.now()) })
  return { ...(await showRecording(services, row)), success: true }
}

async function change(
  { store }: Services,
  { id }: RecordingRow,
  changes: Updateable<SessionRecordingsTable>,
): Promise<RecordingRow> {
  const row = await updateRow(store, 'session_recordings', { id, deleted_at: null }, changes)
  if (!row) throw notFound('Recording not found')
  return row
}

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
