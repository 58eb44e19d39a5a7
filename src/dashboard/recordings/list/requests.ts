import type { QueryClient } from '@tanstack/react-query'
import type { SessionRecording } from '../../../contract/session-recording.ts'
import { invalidate } from '../../queries/endpoint-query.ts'
import { refreshMatching, sendRecording, showRecordings } from '../../queries/recordings.ts'
import type { OnProgress } from '../../ui/list/list-action.ts'
import { sendNow, sendRowsLater, type RequestKind } from '../../ui/list/row-requests.ts'
import { namedRecordings, recordingName } from '../../words/recording-name.ts'

type Rows = readonly SessionRecording[]

/** The project whose recordings are changed, and the query cache that contains them. */
export type Place = { client: QueryClient; projectId: string }

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

/** Exempts these recordings from deletion at the end of the retention period. */
export async function keep(place: Place, rows: Rows, onProgress?: OnProgress): Promise<void> {
  const { client, projectId } = place
  await sendNow(recordingRequests(client), rows, {
    participle: 'kept',
    send: (row) => sendRecording.keep(projectId, row.id),
    retry: (failed) => void keep(place, failed),
    onDone: (kept) =>
      showRecordings(client, idsOf(kept), (row) => ({ ...row, storage: 'object_storage_lts' })),
    done: (what) => `Kept ${what}.`,
    onProgress,
  })
}

/** Marks recordings as watched or unwatched; shows the change before the service responds, and reverts it on failure. */
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
    participle: `marked as ${mark}`,
    send: (row) => sendRecording.setWatched(projectId, row.id, watched),
    retry: (failed) => void setWatched(place, failed, watched),
    revert: (row) => show([row], before.get(row.id) ?? ''),
    done: (what) => `Marked ${what} as ${mark}.`,
    undo: (marked) => void setWatched(place, marked, !watched),
    onProgress,
  })
}

/** Deletes these recordings after six seconds, unless the user undoes the deletion. */
export function deleteLater(place: Place, rows: Rows): void {
  const { client, projectId } = place
  sendRowsLater(recordingRequests(client), rows, {
    verb: 'delete',
    label: `Deleting ${namedRecordings(rows)}`,
    participle: 'deleted',
    send: inBatches(rows, (ids) => sendRecording.remove(projectId, ids)),
    retry: (failed) => deleteLater(place, failed),
    onDone: (deleted) => showRecordings(client, idsOf(deleted), () => null),
    done: (answered) => `Deleted ${namedRecordings(answered.map(({ item }) => item))}.`,
  })
}

/** Recordings per deletion request. */
const idsMax = 20

/** Returns a function that sends a row's batch when its first row is sent, and returns its response for all its rows. */
function inBatches<Answer>(rows: Rows, send: (ids: readonly string[]) => Promise<Answer>) {
  const sent = new Map<number, Promise<Answer>>()
  const batchOf = new Map(rows.map(({ id }, index) => [id, Math.floor(index / idsMax)]))
  return ({ id }: { id: string }): Promise<Answer> => {
    const batch = batchOf.get(id) ?? 0
    const known = sent.get(batch)
    if (known) return known
    const ids = rows.slice(batch * idsMax, (batch + 1) * idsMax).map((row) => row.id)
    const sending = send(ids).catch((error: unknown) => {
      // A retry must send a new request.
      sent.delete(batch)
      throw error
    })
    sent.set(batch, sending)
    return sending
  }
}

function idsOf(rows: Rows): ReadonlySet<string> {
  return new Set(rows.map(({ id }) => id))
}
