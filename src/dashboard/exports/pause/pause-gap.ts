import type { QueryClient } from '@tanstack/react-query'
import type { BatchExport } from '../../../contract/batch-export.ts'
import { coverageWindowsMax, decodeCoverage } from '../../../contract/coverage.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { intervalLength, windowAt } from '../../../contract/interval.ts'
import { call } from '../../api/call.ts'
import { sendMutation } from '../../api/send-mutation.ts'
import { invalidate } from '../../queries/endpoint-query.ts'
import { send } from '../../queries/overview.ts'
import { runEndpoints } from '../../queries/run-endpoints.ts'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { counted } from '../../words/amount.ts'
import { mergeWindows } from '../grid/window-selection.ts'

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
  const backfill = async () => {
    for (const range of mergeWindows(skipped))
      await send.backfill(batchExport, {
        start_at: formatInstant(range.start),
        end_at: formatInstant(range.end),
      })
  }
  return {
    text: `The pause skipped ${windows}.`,
    fill: () => {
      void sendMutation(client, backfill)
        .then(
          () => toast(`Backfilling ${windows} of ${name}.`),
          toastFailure(`The windows of ${name} could not be backfilled.`),
        )
        .then(() => invalidate(client, ...runEndpoints))
    },
  }
}
