import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { invalidate } from '../../queries/endpoint-query.ts'
import { useKeys } from '../../ui/use-keys.ts'
import { usePlayer, type Player } from '../player/player.ts'

/** Distance (ms) from the newest moment within which playback counts as being there. */
const edgeMs = 500
/** Time (ms) before the newest moment at which a jump to it starts. */
const leadMs = 3_000

export type Live = ReturnType<typeof useLive>

/** Follows a session that is ongoing: fetches its new data, and continues playing when some arrives at the end. */
export function useLive(
  player: Player,
  { ongoing, end_time: endTime }: SessionRecording,
  refresh: () => void,
) {
  const client = useQueryClient()
  const [isFollowing, setIsFollowing] = useState(true)
  const fetched = useRef(endTime)
  const fetchNew = useEffectEvent(() => {
    fetched.current = endTime
    refresh()
    void invalidate(client, 'eventsOfSessionRecording', 'summaryOfSessionRecording')
  })
  useEffect(() => {
    if (isFollowing && fetched.current !== endTime) fetchNew()
  }, [isFollowing, endTime])

  const end = usePlayer(player, ({ outline }) => outline.end)
  const endBefore = useRef(end)
  useEffect(() => {
    const { at, isPlaying } = player.state.get().playing
    if (isFollowing && !isPlaying && end > endBefore.current + edgeMs && at >= endBefore.current - edgeMs)
      player.toggle()
    endBefore.current = end
  }, [player, end, isFollowing])

  const jump = () => {
    setIsFollowing(true)
    player.seek(end - leadMs)
    if (!player.state.get().playing.isPlaying) player.toggle()
  }
  useKeys(ongoing ? { l: { does: 'Jump to the newest moment, and follow the recording', run: jump } } : {})
  return { ongoing, isFollowing, jump, stop: () => setIsFollowing(false) }
}
