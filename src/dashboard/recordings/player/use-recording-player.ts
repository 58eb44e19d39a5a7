import { useState } from 'react'
import type { SharedRecording } from '../../../contract/session-recording.ts'
import type { FollowedLink } from '../../queries/snapshots.ts'
import { createPlayer } from './player.ts'
import { useSnapshots } from './use-snapshots.ts'

type Watched = {
  projectId: string
  recording: SharedRecording
  link?: FollowedLink
  /** Seconds since the start; where to begin. */
  at: number | undefined
  /** Begins to play by itself, unless somebody wants less motion. */
  isPlaying: boolean
}

/** A player for a recording, and what it is given; for one recording as long as the component lives. */
export function useRecordingPlayer({ projectId, recording, link, at = 0, isPlaying }: Watched) {
  const [player] = useState(() =>
    createPlayer({
      start: Date.parse(recording.start_time),
      end: Date.parse(recording.end_time),
      at: at * 1000,
      isPlaying: isPlaying && !matchMedia('(prefers-reduced-motion: reduce)').matches,
    }),
  )
  const [of] = useState({ projectId, id: recording.id, link })
  return { player, snapshots: useSnapshots(player, of) }
}
