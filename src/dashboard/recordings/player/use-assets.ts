import { useEffect } from 'react'
import type { RecordedAssets } from '../../../contract/recordings/recorded-asset.ts'
import { usePlayer, type Player } from './player.ts'

/** Sends the paths of a recording's stored assets to the player. */
export function useAssets(player: Player, data: RecordedAssets | undefined): void {
  const frameLoads = usePlayer(player, (state) => state.frameLoads)
  useEffect(() => {
    if (data && frameLoads > 0)
      player.sendAssets(
        data.results.flatMap(({ url, path }) => (path === null ? [] : [{ url, path }])),
        data,
      )
  }, [data, frameLoads, player])
}
