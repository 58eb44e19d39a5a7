import type { QueryClient } from '@tanstack/react-query'
import type { BodyInput } from '../../../contract/endpoints.ts'
import { formatInstant } from '../../../contract/instant.ts'
import type { ExportOverview } from '../../../contract/exports/overview.ts'
import type { Window } from '../../../contract/interval.ts'
import { sendMutation, invalidate } from '../../queries/endpoint-query.ts'
import { startBulkAction } from '../../queries/bulk-actions.ts'
import { overviewEndpoints, send } from '../../queries/exports/overview.ts'
import { sendAction, sendLater, type LaterVerb } from '../../ui/feedback/send-action.ts'
import { counted } from '../../format/amount.ts'
import { showAsServed, showPaused } from './pausing.ts'

type Rows = readonly ExportOverview[]

/** Sends a request for one export, and fetches the data that it has changed. */
async function change<ResponseBody>(client: QueryClient, request: () => Promise<ResponseBody>) {
  const response = await sendMutation(client, request)
  await invalidate(client, ...overviewEndpoints, 'getBatchExport', 'listRuns', 'listBackfills')
  return response
}

/** Starts a bulk action on exports, in each of their projects. */
async function startBulk(
  client: QueryClient,
  rows: Rows,
  participle: string,
  bodyOf: (ids: string[]) => BodyInput<'createBulkAction'>,
): Promise<void> {
  for (const [project, group] of Map.groupBy(rows, (row) => row.team_id))
    await sendAction({
      failed: `${namedExports(group)} could not be ${participle}.`,
      send: () => startBulkAction(client, String(project), bodyOf(group.map(({ id }) => id))),
    })
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
  const [row] = rows
  if (rows.length !== 1 || !row) return await startBulk(client, rows, participle, (ids) => ({ action, ids }))
  showPaused([row.id], paused)
  await sendAction({
    failed: `${row.name} could not be ${participle}.`,
    send: () => change(client, () => (paused ? send.pause(row) : send.unpause(row))),
    retry: () => void setPaused(client, rows, paused, open),
    done: (changed) => {
      const undo = () => void setPaused(client, rows, !paused, open)
      const more = () => open({ kind: 'pause', of: rows })
      void import('../pause/toast-pause.ts').then((module) =>
        module.toastPause(client, changed, { undo, more }),
      )
      return null
    },
  })
  showAsServed([row.id])
}

/** Starts a bulk action: on one export after six seconds unless undone, on several at once. `label` precedes its name. */
function startLater(
  client: QueryClient,
  rows: Rows,
  { verb, label, participle }: { verb: LaterVerb; label: string; participle: string },
  bodyOf: (ids: string[]) => BodyInput<'createBulkAction'>,
): void | Promise<void> {
  const [row] = rows
  if (rows.length !== 1 || !row) return startBulk(client, rows, participle, bodyOf)
  return sendLater({
    verb,
    on: [row.id],
    label: `${label} ${row.name}`,
    failed: `${row.name} could not be ${participle}.`,
    send: () => startBulkAction(client, String(row.team_id), bodyOf([row.id])),
  })
}

/** Retries all failed windows of exports. */
export function retryFailed(client: QueryClient, rows: Rows): void | Promise<void> {
  const words = { verb: 'retry', label: 'Retrying the failed runs of', participle: 'retried' } as const
  return startLater(client, rows, words, (ids) => ({ action: 'export_windows', ids, windows: 'failed' }))
}

/** Deletes exports; the service can undo that. */
export function deleteExports(client: QueryClient, rows: Rows): void | Promise<void> {
  const words = { verb: 'delete', label: 'Deleting', participle: 'deleted' } as const
  return startLater(client, rows, words, (ids) => ({ action: 'delete_batch_exports', ids }))
}

/** Backfills exports over a period (milliseconds). */
export function backfill(client: QueryClient, rows: Rows, period: Window): Promise<void> {
  const range = { start_at: formatInstant(period.start), end_at: formatInstant(period.end) }
  const action = 'export_windows'
  return startBulk(client, rows, 'backfilled', (ids) => ({ action, ids, windows: [range] }))
}

/** A dialog of the list, and the exports for which it was opened. */
export type OpenedDialog = { kind: 'pause' | 'backfill' | 'curl'; of: readonly ExportOverview[] }

/** Names one export, or counts several: "Orders", "3 exports". */
export function namedExports(rows: readonly { name: string }[]): string {
  const [only] = rows
  return rows.length === 1 && only ? only.name : counted(rows.length, 'export')
}
