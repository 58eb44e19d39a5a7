import { linesQuery } from '../../../contract/recordings/recording-rules.ts'
import { callForBytes } from '../../api/call.ts'
import { endpointQuery } from '../endpoint-query.ts'

export type SnapshotsOf = { projectId: string; id: string }

/** The blocks of a recording's snapshots. Fetched again only on request, when the player checks for more. */
export function snapshotSourcesQuery(of: SnapshotsOf) {
  return { ...endpointQuery('snapshotsOfSessionRecording', { params: paramsOf(of) }), staleTime: Infinity }
}

/**
 * Reads the snapshots of some blocks as JSON lines, or those of a stored page, whose number is negative.
 * @throws ApiProblem when the service refuses, NetworkFailure when it cannot be reached.
 */
export function readBlocks(of: SnapshotsOf, range: { from: number; to: number }, signal: AbortSignal) {
  const input = { params: paramsOf(of), query: linesQuery(range) }
  return callForBytes('snapshotsOfSessionRecording', input, { signal })
}

export function paramsOf({ projectId, id }: SnapshotsOf) {
  return { project_id: projectId, id }
}
