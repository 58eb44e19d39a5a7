import type { QueryClient } from '@tanstack/react-query'
import type { BodyInput } from '../../../contract/endpoints.ts'
import { formatInstant } from '../../../contract/instant.ts'
import type { ExportOverview } from '../../../contract/exports/overview.ts'
import { startBulkAction } from '../../queries/bulk-actions.ts'
import { invalidate } from '../../queries/endpoint-query.ts'
import { overviewEndpoints, send } from '../../queries/exports/overview.ts'
import { sendLater } from '../../ui/feedback/send-action.ts'
import { toastFailure } from '../../ui/feedback/toasts.ts'
import { sendNow, sendRowsLater, type RequestKind } from '../../ui/list/row-requests.ts'
import { counted } from '../../format/amount.ts'
import { namedExports } from './named-exports.ts'
import type { OpenedDialog } from './opened-dialog.ts'
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

/** Starts a bulk action on exports, in each of their projects; a failure offers Retry. */
async function startBulk(
  client: QueryClient,
  rows: Rows,
  participle: string,
  bodyOf: (ids: string[]) => BodyInput<'createBulkAction'>,
): Promise<void> {
  const started: number[] = []
  try {
    for (const [project, group] of Map.groupBy(rows, (row) => row.team_id)) {
      await startBulkAction(client, String(project), bodyOf(group.map(({ id }) => id)))
      started.push(project)
    }
  } catch (error) {
    const left = rows.filter((row) => !started.includes(row.team_id))
    const retry = () => void startBulk(client, left, participle, bodyOf)
    const failed = toastFailure(`${namedExports(left)} could not be ${participle}.`, retry)
    failed(error)
  }
}

/** Unpauses exports and exports the windows that their pauses skipped. */
export function unpauseAndFill(client: QueryClient, rows: Rows): Promise<void> {
  const action = 'unpause_batch_exports'
  return startBulk(client, rows, 'unpaused', (ids) => ({ action, ids, backfill: true }))
}

/** Pauses or unpauses exports: one at once, shown before the service responds; several in a bulk action. */
export async function setPaused(
  client: QueryClient,
  rows: Rows,
  paused: boolean,
  open: (dialog: OpenedDialog) => void,
): Promise<void> {
  const participle = paused ? 'paused' : 'unpaused'
  const action = paused ? 'pause_batch_exports' : 'unpause_batch_exports'
  if (rows.length > 1) return await startBulk(client, rows, participle, (ids) => ({ action, ids }))
  const ids = rows.map(({ id }) => id)
  showPaused(ids, paused)
  await sendNow(exportRequests(client), rows, {
    participle,
    send: (row) => (paused ? send.pause(row) : send.unpause(row)),
    retry: (failed) => void setPaused(client, failed, paused, open),
    revert: ({ id }) => showAsServed([id]),
    done: (_, [outcome]) => {
      const undo = () => void setPaused(client, rows, !paused, open)
      const more = () => open({ kind: 'pause', of: rows })
      if (outcome)
        void import('../pause/toast-pause.ts').then((module) =>
          module.toastPause(client, outcome.response, { undo, more }),
        )
      return null
    },
  })
  showAsServed(ids)
}

/** Retries all failed windows of an export after six seconds unless undone; those of several exports at once. */
export function retryFailed(client: QueryClient, rows: Rows): void | Promise<void> {
  const start = () =>
    startBulk(client, rows, 'retried', (ids) => ({ action: 'export_windows', ids, windows: 'failed' }))
  if (rows.length > 1) return start()
  return sendLater({
    verb: 'retry',
    on: rows.map(({ id }) => id),
    label: `Retrying the failed runs of ${namedExports(rows)}`,
    failed: `${namedExports(rows)} could not be retried.`,
    send: start,
  })
}

/** Deletes an export after six seconds unless undone; several in a bulk action, which the service can undo. */
export function deleteExports(client: QueryClient, rows: Rows): void | Promise<void> {
  const start = (some: Rows) =>
    startBulk(client, some, 'deleted', (ids) => ({ action: 'delete_batch_exports', ids }))
  if (rows.length > 1) return start(rows)
  return sendLater({
    verb: 'delete',
    on: rows.map(({ id }) => id),
    label: `Deleting ${namedExports(rows)}`,
    failed: `${namedExports(rows)} could not be deleted.`,
    send: () => start(rows),
  })
}

/** The range of an export to backfill; `start_at` and `end_at` are ISO 8601 with a time zone. */
export type BackfillPart = { row: ExportOverview; range: { start_at: string; end_at: string }; runs: number }
type Period = { start: number; end: number }

/** Backfills one export after six seconds unless undone; several over a period (milliseconds) in a bulk action. */
export function backfill(client: QueryClient, parts: readonly BackfillPart[], period: Period): void {
  const [only] = parts
  if (parts.length !== 1 || !only) {
    const range = { start_at: formatInstant(period.start), end_at: formatInstant(period.end) }
    const rows = parts.map(({ row }) => row)
    void startBulk(client, rows, 'backfilled', (ids) => ({ action: 'export_windows', ids, windows: [range] }))
    return
  }
  const { row, range, runs } = only
  const message = `Backfilling ${counted(runs, 'window')} of ${row.name}`
  sendRowsLater(exportRequests(client), [row], {
    verb: 'backfill',
    label: message,
    participle: 'backfilled',
    send: () => send.backfill(row, range),
    retry: () => backfill(client, parts, period),
    done: () => `${message}.`,
  })
}
