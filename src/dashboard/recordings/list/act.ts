import type { QueryClient } from '@tanstack/react-query'
import type { SessionRecording } from '../../../contract/session-recording.ts'
import { invalidate } from '../../queries/endpoint-query.ts'
import { refreshMatching, sendRecording, showRecordings } from '../../queries/recordings.ts'
import type { Outcome } from '../../api/send-each.ts'
import { sendLater } from '../../ui/feedback/send-later.ts'
import { sendToAll } from '../../ui/list/send-to-all.ts'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { namedRecordings, recordingName } from '../../words/recording-name.ts'

type Rows = readonly SessionRecording[]

/** Where recordings are acted on. */
export type Acting = {
  client: QueryClient
  projectId: string
  /** Hears how many of the requests have been answered. */
  onProgress?: (ended: number) => void
}

const deleteMax = 20

/** Keeps these recordings past the time after which others go. */
export async function keep(acting: Acting, rows: Rows): Promise<void> {
  const { client, projectId } = acting
  const words = namedRecordings(rows)
  await told(
    `${words} could not be kept.`,
    () => keep(acting, rows),
    async () => {
      const { done } = await perform(acting, rows, {
        undone: 'kept',
        send: (row) => sendRecording.keep(projectId, row.id),
        again: (failed) => void keep(acting, failed),
      })
      const kept = done.map(({ item }) => item)
      showRecordings(client, idsOf(kept), (row) => ({ ...row, storage: 'object_storage_lts' }))
      toast(`Kept ${namedRecordings(kept)}.`)
    },
  )
}

/** Marks at once; what the service refuses is taken back and told. */
export async function setWatched(acting: Acting, rows: Rows, watched: boolean): Promise<void> {
  const { client, projectId } = acting
  const mark = watched ? 'watched' : 'unwatched'
  const show = (some: Rows, viewed: string) =>
    showRecordings(client, idsOf(some), (row) => ({ ...row, viewed }))
  const before = new Map(rows.map(({ id, viewed }) => [id, viewed]))
  const takeBack = (row: SessionRecording) => show([row], before.get(row.id) ?? '')
  show(rows, watched ? new Date().toISOString() : '')
  const words = namedRecordings(rows)
  await told(
    `${words} could not be marked as ${mark}.`,
    () => setWatched(acting, rows, watched),
    async () => {
      const { done } = await perform(acting, rows, {
        undone: `marked as ${mark}`,
        send: async (row) => {
          try {
            return await sendRecording.setWatched(projectId, row.id, watched)
          } catch (error) {
            takeBack(row)
            throw error
          }
        },
        again: (failed) => void setWatched(acting, failed, watched),
      })
      const marked = done.map(({ item }) => item)
      toast(`Marked ${namedRecordings(marked)} as ${mark}.`, {
        undo: () => void setWatched(acting, marked, !watched),
      })
    },
  )
}

/** Deletes these recordings, in six seconds unless it is undone. */
export function deleteLater(acting: Acting, rows: Rows): void {
  const { client, projectId } = acting
  const words = namedRecordings(rows)
  const parts = inParts(rows, (ids) => sendRecording.remove(projectId, ids))
  sendLater({
    verb: 'delete',
    on: rows.map(({ id }) => id),
    label: `Deleting ${words}`,
    failed: `${words} could not be deleted.`,
    send: async () => {
      const outcome = await perform(acting, rows, {
        undone: 'deleted',
        send: parts,
        again: (failed) => deleteLater(acting, failed),
      })
      showRecordings(client, idsOf(outcome.done.map(({ item }) => item)), () => null)
      return outcome
    },
    done: ({ done }) => `Deleted ${namedRecordings(done.map(({ item }) => item))}.`,
  })
}

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
      // Tried again, it is another request.
      sent.delete(part)
      throw error
    })
    sent.set(part, sending)
    return sending
  }
}

type Performance<Answer> = {
  undone: string
  send: (row: SessionRecording) => Promise<Answer>
  again: (failed: Rows) => void
}

async function perform<Answer>(
  { client, onProgress }: Acting,
  rows: Rows,
  { undone, send, again }: Performance<Answer>,
): Promise<Outcome<SessionRecording, Answer>> {
  const items = rows.map((row) => ({ id: row.id, name: recordingName(row), row }))
  const { done, failed } = await sendToAll(client, items, {
    send: ({ row }) => send(row),
    again: (failed) => again(failed.map(({ row }) => row)),
    onProgress,
    one: 'recording',
    undone,
    refresh: async () => {
      await Promise.all([invalidate(client, 'getSessionRecording', 'errorClusters'), refreshMatching(client)])
    },
  })
  return {
    done: done.map(({ item, answer }) => ({ item: item.row, answer })),
    failed: failed.map(({ item, error }) => ({ item: item.row, error })),
  }
}

async function told(failed: string, retry: () => Promise<void>, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    toastFailure(failed, () => void retry())(error instanceof Error ? error : new Error(String(error)))
  }
}

function idsOf(rows: Rows): ReadonlySet<string> {
  return new Set(rows.map(({ id }) => id))
}
