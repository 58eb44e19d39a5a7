import { queryOptions } from '@tanstack/react-query'
import { blobKeysMax, type SnapshotSources } from '../../contract/snapshot.ts'
import { call, callForText } from '../api/call.ts'

/** Whoever follows a link to a recording has its token instead of a key, and perhaps a password. */
export type FollowedLink = { token: string; password: string | undefined }

export type SnapshotsOf = { projectId: string; id: string; link?: FollowedLink | undefined }

/** Which blocks of snapshots a recording has. */
export function snapshotSourcesQuery(of: SnapshotsOf) {
  return queryOptions({
    queryKey: ['snapshotsOfSessionRecording', of] as const,
    queryFn: ({ signal }) => {
      const { params, query, options } = request(of)
      return call('snapshotsOfSessionRecording', { params, query }, { signal, ...options })
    },
    // Looked at again when somebody asks whether there is more.
    staleTime: Infinity,
  })
}

/** Blocks that are asked for together; `count` of all there are, `to` included. */
export type BlockRange = { from: number; to: number; isLast: boolean }

/** Which blocks to ask for next after the first `read` ones: the very first alone, so that the first picture comes at once. */
export function nextBlocks({ sources }: SnapshotSources, read: number): BlockRange | null {
  const last = Math.min(read === 0 ? 0 : read + blobKeysMax - 1, sources.length - 1)
  return read > last ? null : { from: read, to: last, isLast: last === sources.length - 1 }
}

/**
 * The events of some blocks as JSON lines.
 * @throws ApiProblem when the service refuses, NetworkFailure when it cannot be reached.
 */
export function readBlocks(of: SnapshotsOf, { from, to }: BlockRange, signal: AbortSignal): Promise<string> {
  const { params, query, options } = request(of)
  const keys = { source: 'blob_v2', start_blob_key: String(from), end_blob_key: String(to) }
  return callForText(
    'snapshotsOfSessionRecording',
    { params, query: { ...query, ...keys } },
    { signal, ...options },
  )
}

function request({ projectId, id, link }: SnapshotsOf) {
  return {
    params: { project_id: projectId, id },
    query: link ? { sharing_access_token: link.token } : {},
    options: link ? { key: null, password: link.password } : {},
  }
}
