import { useQuery, queryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import type { SharedRecording } from '../../../contract/recordings/session-recording.ts'
import { snapshotSourcesQuery, paramsOf, type SnapshotsOf } from '../../queries/recordings/snapshots.ts'
import { playerOf, type Opening } from './player.ts'
import type { Extent } from './block-order.ts'
import { blocksReader } from './prepare-recording.ts'
import { useSnapshots } from './use-snapshots.ts'
import type { RecordedAssets } from '../../../contract/recordings/recorded-asset.ts'
import { call } from '../../api/call.ts'
import { renewalDelay } from '../../api/renewal-delay.ts'
import { live } from '../../queries/live.ts'
import { useAssets } from './player-data.ts'

type RecordingSource = Opening & {
  projectId: string
  recording: SharedRecording
  /** By default, all blocks are loaded. */
  extent?: Extent
}

/** Creates a player for a recording and loads its snapshots. The recording must not change while mounted. */
export function useRecordingPlayer({ projectId, recording, extent, ...opening }: RecordingSource) {
  const [player] = useState(() => playerOf(recording, opening))
  const [of] = useState({ projectId, id: recording.id })
  const [read] = useState(() => blocksReader(of))
  useAssets(player, useQuery(recordedAssetsQuery(of)).data)
  return { player, snapshots: useSnapshots(player, useQuery(snapshotSourcesQuery(of)), read, extent) }
}

/** The files that a recording shows but does not hold; polled while some are being fetched and before the paths expire. */
function recordedAssetsQuery(of: SnapshotsOf) {
  return queryOptions({
    queryKey: ['assetsOfSessionRecording', of] as const,
    queryFn: ({ signal }) => call('assetsOfSessionRecording', { params: paramsOf(of) }, { signal }),
    ...live(({ pending }: RecordedAssets) => (pending > 0 ? 'running' : 'settled')),
    refetchInterval: ({ state: { data } }) => renewalDelay(data?.expires_at, Date.now()),
  })
}
