import { useEffect } from 'react'
import type { RecordedAssets } from '../../../contract/recordings/recorded-asset.ts'
import { usePlayer, type Player } from './player.ts'

/**
 * Sends the times (ms since the epoch, ascending) of the visitor's actions to the player, which finds actions that were not
 * recorded. The list must be the same object until it changes.
 */
export function useActions(player: Player, actions: readonly number[] | undefined): void {
  const frameLoads = usePlayer(player, (state) => state.frameLoads)
  useEffect(() => {
    if (actions && frameLoads > 0) player.send({ kind: 'recording', recording: { actions } })
  }, [actions, frameLoads, player])
}

/** Sends the paths of a recording's stored assets to the player. */
export function useAssets(player: Player, data: RecordedAssets | undefined): void {
  const frameLoads = usePlayer(player, (state) => state.frameLoads)
  useEffect(() => {
    if (!data || frameLoads === 0) return
    player.change({ pendingAssets: data.pending, missingReasons: data.missing })
    const stored = data.results.flatMap(({ url, path }) => (path === null ? [] : [{ url, path }]))
    player.send({ kind: 'assets', stored })
  }, [data, frameLoads, player])
}
