import type { ErrorState } from '../../../contract/recordings/error-cluster.ts'
import type { ProblemState } from '../../../contract/runs/failure-cause.ts'
import type { TriageRow } from './triage.ts'

/** Returns the state of an error whose newest entry is at `newest` (ms): a resolved one is open again when it recurs. */
export function errorState(
  row: Pick<TriageRow, 'state' | 'state_at'> | undefined,
  newest: number,
): ErrorState {
  if (row?.state === 'resolved' && newest > (row.state_at?.getTime() ?? 0)) return 'open'
  return row?.state ?? 'open'
}

/** Returns the state of a problem, which is ignored until a time; only runs that export its windows resolve it. */
export function problemState(
  row: Pick<TriageRow, 'state' | 'ignored_until'> | undefined,
  now: number,
): ProblemState {
  return row?.state === 'ignored' && (row.ignored_until?.getTime() ?? 0) > now ? 'ignored' : 'open'
}
