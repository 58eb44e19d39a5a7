import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SharedRecording } from '../../../contract/recordings/session-recording.ts'
import { recordedAssetsQuery } from '../../queries/recordings/recorded-assets.ts'
import { readBlocks, snapshotSourcesQuery } from '../../queries/recordings/snapshots.ts'
import { playerOf, type Opening } from './player.ts'
import type { Extent } from './block-order.ts'
import { useAssets } from './use-assets.ts'
import { useSnapshots, type ReadBlocks } from './use-snapshots.ts'

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
  const [read] = useState((): ReadBlocks => (range, signal) => readBlocks(of, range, signal))
  useAssets(player, useQuery(recordedAssetsQuery(of)).data)
  return { player, snapshots: useSnapshots(player, useQuery(snapshotSourcesQuery(of)), read, extent) }
}
