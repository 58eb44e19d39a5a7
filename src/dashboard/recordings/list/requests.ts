import type { QueryClient } from '@tanstack/react-query'
import type { recordingActions } from '../../../contract/bulk-action.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { sendMutation } from '../../api/send-mutation.ts'
import { startBulkAction } from '../../queries/bulk-actions.ts'
import { invalidate } from '../../queries/endpoint-query.ts'
import type { RecordingFilter } from '../../queries/recordings/recordings-search.ts'
import { refreshMatching, sendRecording, showRecordings } from '../../queries/recordings/recordings.ts'
import { sendAction, sendLater } from '../../ui/feedback/send-action.ts'
import { namedRecordings } from '../../format/recording-name.ts'

type Rows = readonly SessionRecording[]

/** The project whose recordings are changed, the query cache that contains them, and the list's filter. */
export type Place = { client: QueryClient; projectId: string; filter: RecordingFilter }

type BulkName = (typeof recordingActions)[number]

const participles: Record<BulkName, string> = {
  delete_recordings: 'deleted',
  keep_recordings: 'kept',
  mark_recordings_viewed: 'marked as watched',
  mark_recordings_unviewed: 'marked as unwatched',
}

/** Starts a bulk action on these rows, or on all recordings that match the filter. */
export function startBulk(place: Place, action: BulkName, rows: Rows | 'all'): Promise<void> {
  const { client, projectId } = place
  const { order: _order, order_direction: _direction, ...filter } = place.filter
  const objects = rows === 'all' ? { filter } : { ids: rows.map(({ id }) => id) }
  const what = rows === 'all' ? 'The recordings' : namedRecordings(rows)
  return sendAction({
    failed: `${what} could not be ${participles[action]}.`,
    send: () => startBulkAction(client, projectId, { action, ...objects }),
  })
}

/** Sends a request for one recording, and fetches the data that it has changed. */
async function change({ client }: Place, request: () => Promise<unknown>): Promise<void> {
  await sendMutation(client, request)
  await Promise.all([invalidate(client, 'getSessionRecording', 'errorClusters'), refreshMatching(client)])
}

/** Exempts recordings from deletion at the end of the retention period; several in a bulk action. */
export async function keep(place: Place, rows: Rows): Promise<void> {
  const [row] = rows
  if (rows.length !== 1 || !row) return await startBulk(place, 'keep_recordings', rows)
  await sendAction({
    failed: `${namedRecordings(rows)} could not be kept.`,
    send: () => change(place, () => sendRecording.keep(place.projectId, row.id)),
    done: () => {
      show(place, row, { storage: 'object_storage_lts' })
      return `Kept ${namedRecordings(rows)}.`
    },
  })
}

/** Marks a recording as watched or unwatched, shown before the service responds; several in a bulk action. */
export async function setWatched(place: Place, rows: Rows, watched: boolean): Promise<void> {
  const action = watched ? 'mark_recordings_viewed' : 'mark_recordings_unviewed'
  const [row] = rows
  if (rows.length !== 1 || !row) return await startBulk(place, action, rows)
  const mark = watched ? 'watched' : 'unwatched'
  show(place, row, { viewed: watched ? new Date().toISOString() : '' })
  const request = () => sendRecording.setWatched(place.projectId, row.id, watched)
  await sendAction({
    failed: `${namedRecordings(rows)} could not be marked as ${mark}.`,
    send: () =>
      change(place, request).catch((error: unknown) => {
        show(place, row, { viewed: row.viewed })
        throw error
      }),
    retry: () => void setWatched(place, rows, watched),
    done: `Marked ${namedRecordings(rows)} as ${mark}.`,
    undo: () => void setWatched(place, rows, !watched),
  })
}

/** Deletes a recording after six seconds unless undone; several in a bulk action, which can be undone in the service. */
export function deleteRecordings(place: Place, rows: Rows): void | Promise<void> {
  const action = 'delete_recordings'
  if (rows.length !== 1) return startBulk(place, action, rows)
  const ids = rows.map(({ id }) => id)
  return sendLater({
    verb: 'delete',
    on: ids,
    label: `Deleting ${namedRecordings(rows)}`,
    failed: `${namedRecordings(rows)} could not be deleted.`,
    send: () => startBulkAction(place.client, place.projectId, { action, ids }),
  })
}

/** Shows a changed recording in all lists. */
function show({ client }: Place, { id }: SessionRecording, changed: Partial<SessionRecording>): void {
  showRecordings(client, new Set([id]), (row) => ({ ...row, ...changed }))
}
