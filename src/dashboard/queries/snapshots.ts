import { queryOptions } from '@tanstack/react-query'
import { call, callForBytes } from '../api/call.ts'

/** The credentials of a visitor with a link: its token replaces a key, and a password may be required. */
export type FollowedLink = { token: string; password: string | undefined }

export type SnapshotsOf = { projectId: string; id: string; link?: FollowedLink | undefined }

/** The blocks of a recording's snapshots. */
export function snapshotSourcesQuery(of: SnapshotsOf) {
  return queryOptions({
    queryKey: ['snapshotsOfSessionRecording', of] as const,
    queryFn: ({ signal }) => {
      const { params, query, options } = snapshotRequest(of)
      return call('snapshotsOfSessionRecording', { params, query }, { signal, ...options })
    },
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
  const { params, query, options } = snapshotRequest(of)
  const keys = { source: 'blob_v2', start_blob_key: String(from), end_blob_key: String(to) }
  return callForBytes(
    'snapshotsOfSessionRecording',
    { params, query: { ...query, ...keys } },
    { signal, ...options },
  )
}

/** Returns what a request about a recording contains, whether it is opened with a key or with a link. */
export function snapshotRequest({ projectId, id, link }: SnapshotsOf) {
  return {
    params: { project_id: projectId, id },
    query: link ? { sharing_access_token: link.token } : {},
    options: link ? { key: null, password: link.password } : {},
  }
}
