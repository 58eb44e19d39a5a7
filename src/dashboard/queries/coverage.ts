import { decodeCoverage, encodeStates, type Coverage } from '../../contract/coverage.ts'
import { formatInstant } from '../../contract/instant.ts'
import type { Window } from '../../contract/interval.ts'
import { call } from '../api/call.ts'
import { live } from './live.ts'
import { endpointQuery, keepRowsOf } from './endpoint-query.ts'
import { useSendEach } from './use-send-each.ts'

/** What became of each window of a period (milliseconds); read it with `windowsOf`. */
export function coverageQuery(projectId: string, id: string, period: Window) {
  const params = { project_id: projectId, id }
  const query = { start: formatInstant(period.start), end: formatInstant(period.end) }
  return {
    ...endpointQuery(
      'coverageOfBatchExport',
      { params, query },
      { part: (coverage) => String(isMoving(coverage)), others: ['listRuns', 'getBatchExport'] },
    ),
    placeholderData: keepRowsOf(params),
    // At rest the export itself is looked at, and tells when there is something new.
    ...live((coverage: Coverage) => (isMoving(coverage) ? 'running' : 'settled')),
  }
}

const moving = Array.from(encodeStates(['running', 'waiting', 'due']))

/** Whether a window is running, waiting or due. */
function isMoving({ states }: Coverage): boolean {
  return moving.some((letter) => states.includes(letter))
}

const decoded = new WeakMap<Coverage, ReturnType<typeof decodeCoverage>>()

/** Every window of a coverage with its bounds, oldest first; unpacked once, whoever asks. */
export function windowsOf(coverage: Coverage): ReturnType<typeof decodeCoverage> {
  const known = decoded.get(coverage)
  if (known) return known
  const windows = decodeCoverage(coverage)
  decoded.set(coverage, windows)
  return windows
}

/** Returns a function that backfills these ranges (milliseconds). */
export function useBackfillRanges(projectId: string, id: string) {
  return useSendEach(({ start, end }: Window) => {
    const body = { start_at: formatInstant(start), end_at: formatInstant(end) }
    return call('backfillBatchExport', { params: { project_id: projectId, id }, body })
  })
}
