import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { recordingEventsQuery } from '../../queries/recording.ts'
import { usePlayer, type Player } from '../player/player.ts'

/** Captured events caused by actions of the visitor that every recorder also records. */
const actionEvents = new Set(['$autocapture', '$rageclick', '$pageview'])

/** Sends the times of the visitor's actions to the player, which finds actions that were not recorded. */
export function useActions(player: Player, projectId: string, recordingId: string): void {
  const { data } = useQuery(recordingEventsQuery(projectId, recordingId))
  const frameLoads = usePlayer(player, (state) => state.frameLoads)
  useEffect(() => {
    if (!data || frameLoads === 0) return
    const actions = data.results.filter(({ event }) => actionEvents.has(event))
    player.sendActions(actions.map(({ timestamp }) => Date.parse(timestamp)))
  }, [data, frameLoads, player])
}
