import { useQueryClient } from '@tanstack/react-query'
import { decodeCoverage, type Coverage } from '../../../contract/runs/coverage.ts'
import { encodeStates } from '../../../contract/runs/window-state.ts'
import { formatInstant } from '../../../contract/instant.ts'
import type { Window } from '../../../contract/interval.ts'
import { live } from '../live.ts'
import { endpointQuery, keepRowsOf } from '../endpoint-query.ts'
import { startBulkAction } from '../bulk-actions.ts'
import { useBackfill } from './batch-exports.ts'

/** The state of each window of a period (milliseconds); decode the response with `windowsOf`. */
export function coverageQuery(projectId: string, id: string, period: Window) {
  const params = { project_id: projectId, id }
  const query = { start: formatInstant(period.start), end: formatInstant(period.end) }
  return {
    ...endpointQuery(
      'coverageOfBatchExport',
      { params, query },
      { watched: (coverage) => String(isInProgress(coverage)), dependents: ['listRuns', 'getBatchExport'] },
    ),
    placeholderData: keepRowsOf(params),
    // While nothing runs, the export's own query is polled; it invalidates this one when something changes.
    ...live((coverage: Coverage) => (isInProgress(coverage) ? 'running' : 'settled')),
  }
}

const inProgressLetters = Array.from(encodeStates(['running', 'waiting', 'due']))

/** Whether any window is running, waiting or due. */
function isInProgress({ states }: Coverage): boolean {
  return inProgressLetters.some((letter) => states.includes(letter))
}

const decoded = new WeakMap<Coverage, ReturnType<typeof decodeCoverage>>()

/** Returns every window of a coverage with its bounds, oldest first; each response is decoded once. */
export function windowsOf(coverage: Coverage): ReturnType<typeof decodeCoverage> {
  const cached = decoded.get(coverage)
  if (cached) return cached
  const windows = decodeCoverage(coverage)
  decoded.set(coverage, windows)
  return windows
}

/** Returns a function that backfills ranges (milliseconds): one by itself, several in a bulk action. */
export function useBackfillRanges(projectId: string, id: string) {
  const client = useQueryClient()
  const { mutateAsync } = useBackfill(projectId, id)
  return async (windows: readonly Window[]): Promise<void> => {
    const ranges = windows.map(({ start, end }) => ({
      start_at: formatInstant(start),
      end_at: formatInstant(end),
    }))
    const [range] = ranges
    if (range && ranges.length === 1) await mutateAsync(range)
    else await startBulkAction(client, projectId, { action: 'export_windows', ids: [id], windows: ranges })
  }
}
