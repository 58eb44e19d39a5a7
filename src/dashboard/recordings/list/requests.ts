import type { QueryClient } from '@tanstack/react-query'
import type { SessionRecording } from '../../../contract/session-recording.ts'
import { invalidate } from '../../queries/endpoint-query.ts'
import { refreshMatching, sendRecording, showRecordings } from '../../queries/recordings.ts'
import type { OnProgress } from '../../ui/list/list-action.ts'
import { sendNow, sendRowsLater, type RequestKind } from '../../ui/list/row-requests.ts'
import { namedRecordings, recordingName } from '../../words/recording-name.ts'

type Rows = readonly SessionRecording[]

/** The project whose recordings are changed. */
export type Place = { client: QueryClient; projectId: string }

function recordingRequests(client: QueryClient): RequestKind<SessionRecording> {
  return {
    client,
    one: 'recording',
    nameOf: recordingName,
    named: namedRecordings,
    refresh: async () => {
      await Promise.all([invalidate(client, 'getSessionRecording', 'errorClusters'), refreshMatching(client)])
    },
  }
}

/** Keeps these recordings past the time after which others are deleted. */
export async function keep(place: Place, rows: Rows, onProgress?: OnProgress): Promise<void> {
  const { client, projectId } = place
  await sendNow(recordingRequests(client), rows, {
    undone: 'kept',
    send: (row) => sendRecording.keep(projectId, row.id),
    again: (failed) => void keep(place, failed),
    onDone: (kept) =>
      showRecordings(client, idsOf(kept), (row) => ({ ...row, storage: 'object_storage_lts' })),
    done: (what) => `Kept ${what}.`,
    onProgress,
  })
}

/** Marks as watched or unwatched; shown before the service has answered, and taken back when it refuses. */
export async function setWatched(
  place: Place,
  rows: Rows,
  watched: boolean,
  onProgress?: OnProgress,
): Promise<void> {
  const { client, projectId } = place
  const mark = watched ? 'watched' : 'unwatched'
  const show = (some: Rows, viewed: string) =>
    showRecordings(client, idsOf(some), (row) => ({ ...row, viewed }))
  const before = new Map(rows.map(({ id, viewed }) => [id, viewed]))
  show(rows, watched ? new Date().toISOString() : '')
  await sendNow(recordingRequests(client), rows, {
    undone: `marked as ${mark}`,
    send: (row) => sendRecording.setWatched(projectId, row.id, watched),
    again: (failed) => void setWatched(place, failed, watched),
    takeBack: (row) => show([row], before.get(row.id) ?? ''),
    done: (what) => `Marked ${what} as ${mark}.`,
    undo: (marked) => void setWatched(place, marked, !watched),
    onProgress,
  })
}

/** Deletes these recordings, in six seconds unless that is undone. */
export function deleteLater(place: Place, rows: Rows): void {
  const { client, projectId } = place
  sendRowsLater(recordingRequests(client), rows, {
    verb: 'delete',
    label: `Deleting ${namedRecordings(rows)}`,
    undone: 'deleted',
    send: inParts(rows, (ids) => sendRecording.remove(projectId, ids)),
    again: (failed) => deleteLater(place, failed),
    onDone: (deleted) => showRecordings(client, idsOf(deleted), () => null),
    done: (answered) => `Deleted ${namedRecordings(answered.map(({ item }) => item))}.`,
  })
}

/** The most recordings that one request deletes. */
const deleteMax = 20

/** Sends for each row the request that serves its part of all rows, once for the whole part. */
function inParts<Answer>(rows: Rows, send: (ids: readonly string[]) => Promise<Answer>) {
  const sent = new Map<number, Promise<Answer>>()
  const placeOf = new Map(rows.map(({ id }, index) => [id, Math.floor(index / deleteMax)]))
  return ({ id }: { id: string }): Promise<Answer> => {
    const part = placeOf.get(id) ?? 0
    const known = sent.get(part)
    if (known) return known
    const ids = rows.slice(part * deleteMax, (part + 1) * deleteMax).map((row) => row.id)
    const sending = send(ids).catch((error: unknown) => {
      // A retry must send a new request.
      sent.delete(part)
      throw error
    })
    sent.set(part, sending)
    return sending
  }
}

function idsOf(rows: Rows): ReadonlySet<string> {
  return new Set(rows.map(({ id }) => id))
}
