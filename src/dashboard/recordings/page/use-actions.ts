import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { recordingEventsQuery } from '../../queries/recording.ts'
import { usePlayer, type Player } from '../player/player.ts'

/** Captured events that an action of the visitor causes, and that every recorder would record. */
const actionEvents = new Set(['$autocapture', '$rageclick', '$pageview'])

/** Tells the player when the visitor acted, so that it finds where the recording has a hole. */
export function useActions(player: Player, projectId: string, recordingId: string): void {
  const { data } = useQuery(recordingEventsQuery(projectId, recordingId))
  const frameLoads = usePlayer(player, (state) => state.frameLoads)
  useEffect(() => {
    if (!data || frameLoads === 0) return
    const actions = data.results.filter(({ event }) => actionEvents.has(event))
    player.sendActions(actions.map(({ timestamp }) => Date.parse(timestamp)))
  }, [data, frameLoads, player])
}
