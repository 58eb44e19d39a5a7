import { useCallback, useEffect, useState } from 'react'
import type { OpenedLink } from '../../../contract/recordings/sharing.ts'
import { renewalDelay } from '../../api/renewal-delay.ts'
import { playerOf, type Opening } from '../player/player.ts'
import { useActions } from '../player/use-actions.ts'
import { useAssets } from '../player/use-assets.ts'
import { useSnapshots, type ReadBlocks } from '../player/use-snapshots.ts'
import { sharedAssets, sharedBlocks, sharedSources, type FollowedLink } from './shared-requests.ts'
import { useLoaded } from './use-loaded.ts'

/** Creates a player for a shared recording and loads its snapshots. Recording and link must not change while mounted. */
export function useSharedPlayer(recording: OpenedLink, link: FollowedLink, opening: Opening) {
  const [player] = useState(() => playerOf(recording, opening))
  const [given] = useState({ recording, link })
  const sources = useLoaded(
    useCallback((signal: AbortSignal) => sharedSources(given.recording, given.link, signal), [given]),
  )
  const assets = useLoaded(
    useCallback((signal: AbortSignal) => sharedAssets(given.recording, given.link, signal), [given]),
  )
  const { data, refetch } = assets
  useEffect(() => {
    // The signed paths of assets expire.
    const timer = setTimeout(refetch, renewalDelay(data?.expires_at, Date.now()))
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- `refetch` is another function on every render
  }, [data])
  const [read] = useState(
    (): ReadBlocks => (range, signal) => sharedBlocks(given.recording, given.link, range, signal),
  )
  useAssets(player, data)
  useActions(player, given.recording.acted_at)
  return { player, snapshots: useSnapshots(player, sources, read) }
}
