import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { nextBlocks, readBlocks, snapshotSourcesQuery, type SnapshotsOf } from '../../queries/snapshots.ts'
import { usePlayer, type Player } from './player.ts'

type Snapshots = {
  /** How many blocks the player has been given, of how many; null until that is known. */
  blocks: { read: number; all: number } | null
  error: Error | null
  isLooking: boolean
  /** Goes on after a failure. */
  retry: () => void
  /** Asks whether there are more by now. */
  refresh: () => void
}

/** Gives the player the blocks of a recording, one request after the other. `of` must stay the same object. */
export function useSnapshots(player: Player, of: SnapshotsOf): Snapshots {
  const sources = useQuery(snapshotSourcesQuery(of))
  const beginning = usePlayer(player, (state) => state.beginning)
  const [read, setRead] = useState(0)
  const [failure, setFailure] = useState<Error | null>(null)
  const given = useRef({ beginning: 0, blocks: 0 })
  const { data, refetch } = sources
  useEffect(() => {
    if (!data || beginning === 0 || failure) return undefined
    if (given.current.beginning !== beginning) given.current = { beginning, blocks: 0 }
    const stop = new AbortController()
    const readAll = async () => {
      for (let range = nextBlocks(data, given.current.blocks); range;) {
        const text = await readBlocks(of, range, stop.signal)
        if (stop.signal.aborted) return
        player.giveLines(text, range.isLast)
        given.current.blocks = range.to + 1
        setRead(range.to + 1)
        range = nextBlocks(data, given.current.blocks)
      }
    }
    readAll().catch((error: unknown) => {
      if (!stop.signal.aborted) setFailure(error instanceof Error ? error : new Error(String(error)))
    })
    return () => stop.abort()
  }, [data, beginning, failure, of, player])
  return {
    blocks: data ? { read, all: data.sources.length } : null,
    error: failure ?? sources.error,
    isLooking: sources.isFetching,
    retry: () => {
      setFailure(null)
      if (!data) void refetch()
    },
    refresh: () => void refetch(),
  }
}
