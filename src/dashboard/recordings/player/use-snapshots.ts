import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { nextBlocks, readBlocks, snapshotSourcesQuery, type SnapshotsOf } from '../../queries/snapshots.ts'
import { usePlayer, type Player } from './player.ts'

type Snapshots = {
  /** Number of blocks sent to the player, and in total; null until the total is known. */
  blocks: { read: number; all: number } | null
  error: Error | null
  isFetching: boolean
  /** Continues after a failure. */
  retry: () => void
  /** Checks for new blocks. */
  refresh: () => void
}

/** Loads the blocks of a recording into the player, one request at a time. `of` must be the same object on every render. */
export function useSnapshots(player: Player, of: SnapshotsOf): Snapshots {
  const sources = useQuery(snapshotSourcesQuery(of))
  const frameLoads = usePlayer(player, (state) => state.frameLoads)
  const [read, setRead] = useState(0)
  const [failure, setFailure] = useState<Error | null>(null)
  const sent = useRef({ frameLoads: 0, blocks: 0 })
  const { data, refetch } = sources
  useEffect(() => {
    if (!data || frameLoads === 0 || failure) return undefined
    if (sent.current.frameLoads !== frameLoads) sent.current = { frameLoads, blocks: 0 }
    const stop = new AbortController()
    const readAll = async () => {
      for (let range = nextBlocks(data, sent.current.blocks); range;) {
        const text = await readBlocks(of, range, stop.signal)
        if (stop.signal.aborted) return
        player.sendLines(text, range.isLast)
        sent.current.blocks = range.to + 1
        setRead(range.to + 1)
        range = nextBlocks(data, sent.current.blocks)
      }
    }
    readAll().catch((error: unknown) => {
      if (!stop.signal.aborted) setFailure(error instanceof Error ? error : new Error(String(error)))
    })
    return () => stop.abort()
  }, [data, frameLoads, failure, of, player])
  return {
    blocks: data ? { read, all: data.sources.length } : null,
    error: failure ?? sources.error,
    isFetching: sources.isFetching,
    retry: () => {
      setFailure(null)
      if (!data) void refetch()
    },
    refresh: () => void refetch(),
  }
}
