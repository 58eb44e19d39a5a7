import type { QueryClient } from '@tanstack/react-query'
import type { ExportOverview } from '../../../contract/overview.ts'
import { invalidate } from '../../queries/endpoint-query.ts'
import { overviewEndpoints, send } from '../../queries/overview.ts'
import type { OnProgress } from '../../ui/list/list-action.ts'
import { sendNow, sendRowsLater, type RequestKind } from '../../ui/list/row-requests.ts'
import { counted } from '../../words/amount.ts'
import { namedExports } from './named-exports.ts'
import { showAsServed, showPaused } from './pausing.ts'

type Rows = readonly ExportOverview[]

function exportRequests(client: QueryClient): RequestKind<ExportOverview> {
  return {
    client,
    noun: 'export',
    nameOf: ({ name }) => name,
    named: namedExports,
    refresh: () => invalidate(client, ...overviewEndpoints, 'getBatchExport', 'listRuns', 'listBackfills'),
  }
}

/** Pauses or unpauses exports; shows the change before the service responds, and reverts it on failure. */
export async function setPaused(
  client: QueryClient,
  rows: Rows,
  paused: boolean,
  onProgress?: OnProgress,
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  showPaused(ids, paused)
  await sendNow(exportRequests(client), rows, {
    participle: paused ? 'paused' : 'unpaused',
    send: paused ? send.pause : send.unpause,
    retry: (failed) => void setPaused(client, failed, paused),
    revert: ({ id }) => showAsServed([id]),
    done: (what) => `${paused ? 'Paused' : 'Unpaused'} ${what}.`,
    undo: (changed) => void setPaused(client, changed, !paused),
    onProgress,
  })
  showAsServed(ids)
}

/** Retries all failed windows of these exports after six seconds unless undone. */
export function retryFailedLater(client: QueryClient, rows: Rows): void {
  sendRowsLater(exportRequests(client), rows, {
    verb: 'retry',
    label: `Retrying the failed runs of ${namedExports(rows)}`,
    participle: 'retried',
    send: send.retryFailed,
    retry: (failed) => retryFailedLater(client, failed),
    done: (answered) => {
      const windows = answered.reduce((sum, { answer }) => sum + answer.retried, 0)
      const retried = answered.filter(({ answer }) => answer.retried > 0).map(({ item }) => item)
      if (windows === 0)
        return `Nothing to retry: ${namedExports(rows)} ${rows.length === 1 ? 'has' : 'have'} no failed windows.`
      return `Retrying ${counted(windows, 'window')} of ${namedExports(retried)}.`
    },
  })
}

/** Deletes these exports after six seconds unless undone. */
export function deleteLater(client: QueryClient, rows: Rows): void {
  sendRowsLater(exportRequests(client), rows, {
    verb: 'delete',
    label: `Deleting ${namedExports(rows)}`,
    participle: 'deleted',
    send: send.remove,
    retry: (failed) => deleteLater(client, failed),
    done: (answered) => `Deleted ${namedExports(answered.map(({ item }) => item))}.`,
  })
}

/** The range of an export to backfill; `start_at` and `end_at` are ISO 8601 with a time zone. */
export type BackfillPart = { row: ExportOverview; range: { start_at: string; end_at: string }; runs: number }

/** Backfills these ranges after six seconds unless undone. */
export function backfillLater(client: QueryClient, parts: readonly BackfillPart[]): void {
  const rows = parts.map(({ row }) => row)
  const partOf = new Map(parts.map((part) => [part.row.id, part]))
  const runsOf = (some: Rows) => some.reduce((sum, { id }) => sum + (partOf.get(id)?.runs ?? 0), 0)
  const message = (some: Rows) => `Backfilling ${counted(runsOf(some), 'window')} of ${namedExports(some)}`
  sendRowsLater(exportRequests(client), rows, {
    verb: 'backfill',
    label: message(rows),
    participle: 'backfilled',
    send: (row) => send.backfill(row, partOf.get(row.id)?.range ?? { start_at: '', end_at: '' }),
    retry: (failed) =>
      backfillLater(
        client,
        parts.filter(({ row }) => failed.includes(row)),
      ),
    done: (answered) => `${message(answered.map(({ item }) => item))}.`,
  })
}
