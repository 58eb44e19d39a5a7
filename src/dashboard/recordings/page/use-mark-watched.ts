import { useEffect, useEffectEvent } from 'react'
import { recordingCan, type SessionRecording } from '../../../contract/session-recording.ts'
import { useAccount } from '../../account.ts'
import { useMarkViewed } from '../../queries/recording.ts'
import { usePlayer, type Player } from '../player/player.ts'

/** Milliseconds. */
const watchedAfter = 3_000

/** Says that a recording was watched, once somebody has looked at it for three seconds and the key may say so. */
export function useMarkWatched(player: Player, { id }: SessionRecording): void {
  const { projectId, scopes } = useAccount()
  const { mutate } = useMarkViewed(projectId)
  const hasPicture = usePlayer(player, ({ playing }) => playing.hasPicture)
  const mark = useEffectEvent(() => {
    if (recordingCan.change(scopes) === null) mutate(id)
  })
  useEffect(() => {
    if (!hasPicture) return undefined
    const timer = setTimeout(mark, watchedAfter)
    return () => clearTimeout(timer)
  }, [hasPicture])
}
