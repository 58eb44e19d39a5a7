import { useState } from 'react'
import type { SharedRecording } from '../../../contract/session-recording.ts'
import type { FollowedLink } from '../../queries/snapshots.ts'
import type { Extent } from './block-order.ts'
import { reelLengths } from '../highlights/reel-lengths.ts'
import { createPlayer } from './player.ts'
import { useAssets } from './use-assets.ts'
import { useSnapshots } from './use-snapshots.ts'

type RecordingSource = {
  projectId: string
  recording: SharedRecording
  link?: FollowedLink
  /** Initial position, in seconds since the start. */
  at: number | undefined
  /** Length of the reel to play, in seconds; the whole recording if there is no such reel. */
  reelSeconds?: number | undefined
  /** Starts playing automatically, unless the viewer prefers reduced motion. */
  isPlaying: boolean
  /** By default, all blocks are loaded. */
  extent?: Extent
}

/** Creates a player for a recording and loads its snapshots. The recording must not change while mounted. */
export function useRecordingPlayer({
  projectId,
  recording,
  link,
  at = 0,
  reelSeconds,
  isPlaying,
  extent,
}: RecordingSource) {
  const [player] = useState(() =>
    createPlayer({
      start: Date.parse(recording.start_time),
      end: Date.parse(recording.end_time),
      at: at * 1000,
      reelSeconds: reelLengths.find((length) => length === reelSeconds),
      isPlaying: isPlaying && !matchMedia('(prefers-reduced-motion: reduce)').matches,
    }),
  )
  const [of] = useState({ projectId, id: recording.id, link })
  useAssets(player, of)
  return { player, snapshots: useSnapshots(player, of, extent) }
}
