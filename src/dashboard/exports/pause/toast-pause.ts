import type { QueryClient } from '@tanstack/react-query'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { toast } from '../../ui/feedback/toasts.ts'
import { decodeCoverage } from '../../../contract/runs/coverage.ts'
import { coverageWindowsMax } from '../../../contract/runs/window-state.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { intervalLength, windowAt } from '../../../contract/interval.ts'
import { call } from '../../api/call.ts'
import { startBulkAction } from '../../queries/bulk-actions.ts'
import { sendAction } from '../../ui/feedback/send-action.ts'
import { counted } from '../../format/amount.ts'

/**
 * Reports that an export was paused or unpaused. After a pause, `more` opens the dialog for its reason and end; after an unpause,
 * the toast offers to export exactly the windows that the pause skipped.
 */
export async function toastPause(
  client: QueryClient,
  batchExport: BatchExport,
  { undo, more }: { undo: () => void; more: () => void },
): Promise<void> {
  const { name, paused } = batchExport
  if (paused) {
    const label = 'Add a reason or an end'
    return toast(`Paused ${name}. Its windows are skipped until it is unpaused.`, {
      undo,
      more: { label, run: more },
    })
  }
  // Without the gap, the toast still says what happened.
  const gap = await pauseGap(client, batchExport).catch(() => null)
  const text = `Unpaused ${name}.`
  if (!gap) toast(text, { undo })
  else toast(`${text} ${gap.text}`, { undo, more: { label: 'Fill the gap', run: gap.fill } })
}

/**
 * Returns the windows that the last pause of an export skipped and no run has exported: their number in words, and a
 * function that backfills exactly those windows. Returns null if the pause skipped none.
 */
async function pauseGap(client: QueryClient, batchExport: BatchExport) {
  const { id, team_id, name, interval, last_paused_at: pausedAt } = batchExport
  if (pausedAt === null) return null
  const end = windowAt(interval, Date.now()).end
  const earliest = end - (coverageWindowsMax - 1) * intervalLength(interval)
  const start = Math.max(windowAt(interval, Date.parse(pausedAt)).start, earliest)
  const coverage = await call('coverageOfBatchExport', {
    params: { project_id: String(team_id), id },
    query: { start: formatInstant(start), end: formatInstant(end) },
  })
  const skipped = decodeCoverage(coverage).filter(({ state }) => state === 'paused')
  if (skipped.length === 0) return null
  const windows = counted(skipped.length, 'window')
  return {
    text: `The pause skipped ${windows}.`,
    fill: () =>
      void sendAction({
        failed: `The windows of ${name} could not be backfilled.`,
        send: () =>
          startBulkAction(client, String(team_id), {
            action: 'export_windows',
            ids: [id],
            windows: 'skipped',
          }),
        done: `Backfilling ${windows} of ${name}.`,
      }),
  }
}
