import { queryOptions } from '@tanstack/react-query'
import { call, callForBytes } from '../../api/call.ts'

export type SnapshotsOf = { projectId: string; id: string }

/** The blocks of a recording's snapshots. */
export function snapshotSourcesQuery(of: SnapshotsOf) {
  return queryOptions({
    queryKey: ['snapshotsOfSessionRecording', of] as const,
    queryFn: ({ signal }) => call('snapshotsOfSessionRecording', { params: paramsOf(of) }, { signal }),
    // Fetched again only on request, when the player checks for more.
    staleTime: Infinity,
  })
}

/**
 * Reads the snapshots of some blocks as JSON lines.
 * @throws ApiProblem when the service refuses, NetworkFailure when it cannot be reached.
 */
export function readBlocks(
  of: SnapshotsOf,
  { from, to }: { from: number; to: number },
  signal: AbortSignal,
): Promise<ArrayBuffer> {
  const query = { source: 'blob_v2', start_blob_key: String(from), end_blob_key: String(to) }
  return callForBytes('snapshotsOfSessionRecording', { params: paramsOf(of), query }, { signal })
}

export function paramsOf({ projectId, id }: SnapshotsOf) {
  return { project_id: projectId, id }
}
