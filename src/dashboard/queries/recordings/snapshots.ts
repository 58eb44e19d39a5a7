import { callForBytes } from '../../api/call.ts'
import { endpointQuery } from '../endpoint-query.ts'

export type SnapshotsOf = { projectId: string; id: string }

/** The blocks of a recording's snapshots. Fetched again only on request, when the player checks for more. */
export function snapshotSourcesQuery(of: SnapshotsOf) {
  return { ...endpointQuery('snapshotsOfSessionRecording', { params: paramsOf(of) }), staleTime: Infinity }
}

/**
 * Reads the snapshots of some blocks as JSON lines.
 * @throws ApiProblem when the service refuses, NetworkFailure when it cannot be reached.
 */
export function readBlocks(of: SnapshotsOf, { from, to }: { from: number; to: number }, signal: AbortSignal) {
  const query = { source: 'blob_v2', start_blob_key: String(from), end_blob_key: String(to) }
  return callForBytes('snapshotsOfSessionRecording', { params: paramsOf(of), query }, { signal })
}

export function paramsOf({ projectId, id }: SnapshotsOf) {
  return { project_id: projectId, id }
}
