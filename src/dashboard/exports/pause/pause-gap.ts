import type { QueryClient } from '@tanstack/react-query'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { decodeCoverage } from '../../../contract/runs/coverage.ts'
import { coverageWindowsMax } from '../../../contract/runs/window-state.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { intervalLength, windowAt } from '../../../contract/interval.ts'
import { call } from '../../api/call.ts'
import { startBulkAction } from '../../queries/bulk-actions.ts'
import { sendAction } from '../../ui/feedback/send-action.ts'
import { counted } from '../../format/amount.ts'

/**
 * Returns the windows that the last pause of an export skipped and no run has exported: their number in words, and a function that
 * backfills exactly them. Null if there are none.
 */
export async function pauseGap(client: QueryClient, batchExport: BatchExport) {
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
