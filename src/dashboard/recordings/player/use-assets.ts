import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { recordedAssetsQuery } from '../../queries/recorded-assets.ts'
import type { SnapshotsOf } from '../../queries/snapshots.ts'
import { usePlayer, type Player } from './player.ts'

/** Sends the paths of a recording's stored assets to the player. `of` must be the same object on every render. */
export function useAssets(player: Player, of: SnapshotsOf): void {
  const { data } = useQuery(recordedAssetsQuery(of))
  const frameLoads = usePlayer(player, (state) => state.frameLoads)
  useEffect(() => {
    if (data && frameLoads > 0)
      player.sendAssets(
        data.results.flatMap(({ url, path }) => (path === null ? [] : [{ url, path }])),
        data,
      )
  }, [data, frameLoads, player])
}
