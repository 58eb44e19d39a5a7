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
  const { id, team_id, name, paused } = batchExport
  if (paused)
    return toast(`Paused ${name}. Its windows are skipped until it is unpaused.`, {
      undo,
      more: { label: 'Add a reason or an end', run: more },
    })
  // Without their number, the toast still says what happened.
  const skipped = await skippedWindows(batchExport).catch(() => 0)
  if (skipped === 0) return toast(`Unpaused ${name}.`, { undo })
  const windows = counted(skipped, 'window')
  const fill = () =>
    void sendAction({
      failed: `The windows of ${name} could not be backfilled.`,
      send: () =>
        startBulkAction(client, String(team_id), { action: 'export_windows', ids: [id], windows: 'skipped' }),
      done: `Backfilling ${windows} of ${name}.`,
    })
  toast(`Unpaused ${name}. The pause skipped ${windows}.`, {
    undo,
    more: { label: 'Fill the gap', run: fill },
  })
}

/** Counts the windows that the last pause of an export skipped and no run has exported. */
async function skippedWindows({ id, team_id, interval, last_paused_at: pausedAt }: BatchExport) {
  if (pausedAt === null) return 0
  const end = windowAt(interval, Date.now()).end
  const earliest = end - (coverageWindowsMax - 1) * intervalLength(interval)
  const start = Math.max(windowAt(interval, Date.parse(pausedAt)).start, earliest)
  const coverage = await call('coverageOfBatchExport', {
    params: { project_id: String(team_id), id },
    query: { start: formatInstant(start), end: formatInstant(end) },
  })
  return decodeCoverage(coverage).filter(({ state }) => state === 'paused').length
}
