import type { QueryClient } from '@tanstack/react-query'
import type { recordingActions } from '../../../contract/bulk-action.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { startBulkAction } from '../../queries/bulk-actions.ts'
import { invalidate } from '../../queries/endpoint-query.ts'
import type { RecordingFilter } from '../../queries/recordings/recordings-search.ts'
import { refreshMatching, sendRecording, showRecordings } from '../../queries/recordings/recordings.ts'
import { sendLater } from '../../ui/feedback/send-action.ts'
import { toastFailure } from '../../ui/feedback/toasts.ts'
import { sendNow, type RequestKind } from '../../ui/list/row-requests.ts'
import { namedRecordings, recordingName } from '../../format/recording-name.ts'

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

/** Starts a bulk action on these rows, or on all recordings that match the filter; a failure offers Retry. */
export async function startBulk(place: Place, action: BulkName, rows: Rows | 'all'): Promise<void> {
  const { client, projectId } = place
  const { order: _order, order_direction: _direction, ...filter } = place.filter
  try {
    const objects = rows === 'all' ? { filter } : { ids: rows.map(({ id }) => id) }
    await startBulkAction(client, projectId, { action, ...objects })
  } catch (error) {
    const what = rows === 'all' ? 'The recordings' : namedRecordings(rows)
    const failed = toastFailure(
      `${what} could not be ${participles[action]}.`,
      () => void startBulk(place, action, rows),
    )
    failed(error)
  }
}

function recordingRequests(client: QueryClient): RequestKind<SessionRecording> {
  return {
    client,
    noun: 'recording',
    nameOf: recordingName,
    named: namedRecordings,
    refresh: async () => {
      await Promise.all([invalidate(client, 'getSessionRecording', 'errorClusters'), refreshMatching(client)])
    },
  }
}

/** Exempts recordings from deletion at the end of the retention period; several in a bulk action. */
export async function keep(place: Place, rows: Rows): Promise<void> {
  if (rows.length > 1) return await startBulk(place, 'keep_recordings', rows)
  const { client, projectId } = place
  await sendNow(recordingRequests(client), rows, {
    participle: 'kept',
    send: (row) => sendRecording.keep(projectId, row.id),
    retry: (failed) => void keep(place, failed),
    onDone: (kept) =>
      showRecordings(client, idsOf(kept), (row) => ({ ...row, storage: 'object_storage_lts' })),
    done: (what) => `Kept ${what}.`,
  })
}

/** Marks a recording as watched or unwatched, shown before the service responds; several in a bulk action. */
export async function setWatched(place: Place, rows: Rows, watched: boolean): Promise<void> {
  const action = watched ? 'mark_recordings_viewed' : 'mark_recordings_unviewed'
  if (rows.length > 1) return await startBulk(place, action, rows)
  const { client, projectId } = place
  const mark = watched ? 'watched' : 'unwatched'
  const show = (some: Rows, viewed: string) =>
    showRecordings(client, idsOf(some), (row) => ({ ...row, viewed }))
  const before = new Map(rows.map(({ id, viewed }) => [id, viewed]))
  show(rows, watched ? new Date().toISOString() : '')
  await sendNow(recordingRequests(client), rows, {
    participle: `marked as ${mark}`,
    send: (row) => sendRecording.setWatched(projectId, row.id, watched),
    retry: (failed) => void setWatched(place, failed, watched),
    revert: (row) => show([row], before.get(row.id) ?? ''),
    done: (what) => `Marked ${what} as ${mark}.`,
    undo: (marked) => void setWatched(place, marked, !watched),
  })
}

/** Deletes a recording after six seconds unless undone; several in a bulk action, which can be undone in the service. */
export function deleteRecordings(place: Place, rows: Rows): void | Promise<void> {
  if (rows.length > 1) return startBulk(place, 'delete_recordings', rows)
  return sendLater({
    verb: 'delete',
    on: rows.map(({ id }) => id),
    label: `Deleting ${namedRecordings(rows)}`,
    failed: `${namedRecordings(rows)} could not be deleted.`,
    send: () => startBulk(place, 'delete_recordings', rows),
  })
}

function idsOf(rows: Rows): ReadonlySet<string> {
  return new Set(rows.map(({ id }) => id))
}
