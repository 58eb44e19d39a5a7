import type { QueryClient } from '@tanstack/react-query'
import type { ExportOverview } from '../../../contract/overview.ts'
import { invalidate } from '../../queries/endpoint-query.ts'
import { overviewEndpoints, send } from '../../queries/overview.ts'
import { sendLater } from '../../ui/feedback/send-later.ts'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { counted } from '../../words/amount.ts'
import { deedWords, named, type Deed } from './deeds.ts'
import { showAsServed, showPaused } from './pausing.ts'
import type { Outcome } from '../../api/send-each.ts'
import { sendToAll } from '../../ui/list/send-to-all.ts'

type Rows = readonly ExportOverview[]
/** Hears how many of the requests have been answered. */
type OnProgress = (ended: number) => void

/** Pauses or unpauses at once; what the service refuses is taken back and told. */
export async function setPaused(
  client: QueryClient,
  rows: Rows,
  paused: boolean,
  onProgress?: OnProgress,
): Promise<void> {
  const deed = paused ? 'pause' : 'unpause'
  const ids = rows.map(({ id }) => id)
  const takeBack = (error: unknown, { id }: ExportOverview) => {
    showAsServed([id])
    throw error
  }
  showPaused(ids, paused)
  try {
    const { done } = await perform(client, deed, rows, {
      send: (row) => send[deed](row).catch((error: unknown) => takeBack(error, row)),
      again: (failed) => void setPaused(client, failed, paused),
      onProgress,
    })
    const changed = done.map(({ item }) => item)
    toast(`${deedWords[deed].done} ${named(changed)}.`, {
      undo: () => void setPaused(client, changed, !paused),
    })
  } catch (error) {
    toastFailure(
      `${named(rows)} could not be ${deedWords[deed].undone}.`,
      () => void setPaused(client, rows, paused),
    )(error instanceof Error ? error : new Error(String(error)))
  } finally {
    showAsServed(ids)
  }
}

/** Retries every failed window of these exports, in six seconds unless it is undone. */
export function retryFailedLater(client: QueryClient, rows: Rows): void {
  sendLater({
    ...laterWords('retry', rows),
    send: () =>
      perform(client, 'retry', rows, {
        send: send.retryFailed,
        again: (failed) => retryFailedLater(client, failed),
      }),
    done: ({ done }: Outcome<ExportOverview, { retried: number }>) => {
      const windows = done.reduce((sum, { answer }) => sum + answer.retried, 0)
      const retried = done.filter(({ answer }) => answer.retried > 0).map(({ item }) => item)
      if (windows === 0)
        return `Nothing to retry: ${named(rows)} ${rows.length === 1 ? 'has' : 'have'} no failed window.`
      return `Retrying ${counted(windows, 'window')} of ${named(retried)}.`
    },
  })
}

/** Deletes these exports, in six seconds unless it is undone. */
export function deleteLater(client: QueryClient, rows: Rows): void {
  sendLater({
    ...laterWords('delete', rows),
    send: () =>
      perform(client, 'delete', rows, { send: send.remove, again: (failed) => deleteLater(client, failed) }),
    done: ({ done }) => `Deleted ${named(done.map(({ item }) => item))}.`,
  })
}

/** What to backfill of one export; `start_at` and `end_at` are ISO 8601 with a zone. */
export type BackfillPart = { row: ExportOverview; range: { start_at: string; end_at: string }; runs: number }

/** Backfills each export's part, in six seconds unless it is undone. */
export function backfillLater(client: QueryClient, parts: readonly BackfillPart[]): void {
  const rows = parts.map(({ row }) => row)
  const partOf = new Map(parts.map((part) => [part.row.id, part]))
  const runsOf = (some: Rows) => some.reduce((sum, { id }) => sum + (partOf.get(id)?.runs ?? 0), 0)
  const words = (some: Rows) => `Backfilling ${counted(runsOf(some), 'window')} of ${named(some)}`
  sendLater({
    ...laterWords('backfill', rows),
    label: words(rows),
    send: () =>
      perform(client, 'backfill', rows, {
        send: (row) => send.backfill(row, partOf.get(row.id)?.range ?? { start_at: '', end_at: '' }),
        again: (failed) =>
          backfillLater(
            client,
            parts.filter(({ row }) => failed.includes(row)),
          ),
      }),
    done: ({ done }) => `${words(done.map(({ item }) => item))}.`,
  })
}

function laterWords(deed: 'retry' | 'delete' | 'backfill', rows: Rows) {
  return {
    verb: deed,
    on: rows.map(({ id }) => id),
    label: `${deedWords[deed].doing} ${named(rows)}`,
    failed: `${named(rows)} could not be ${deedWords[deed].undone}.`,
  }
}

type Performance<Answer> = {
  send: (row: ExportOverview) => Promise<Answer>
  again: (failed: Rows) => void
  onProgress?: OnProgress | undefined
}

/**
 * Sends one request for each row and makes the lists fresh.
 * @throws the first failure when nothing worked at all, or a refused key.
 */
function perform<Answer>(
  client: QueryClient,
  deed: Deed,
  rows: Rows,
  performance: Performance<Answer>,
): Promise<Outcome<ExportOverview, Answer>> {
  return sendToAll(client, rows, {
    ...performance,
    one: 'export',
    undone: deedWords[deed].undone,
    refresh: () => invalidate(client, ...overviewEndpoints, 'getBatchExport', 'listRuns', 'listBackfills'),
  })
}
