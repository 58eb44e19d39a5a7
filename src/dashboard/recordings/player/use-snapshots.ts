import { useEffect, useMemo, useRef, useState } from 'react'
import type { SnapshotSources } from '../../../contract/recordings/snapshot.ts'
import { blocksOf, isPage, needsOthers, nextBlocks, type BlockRange, type Extent } from './block-order.ts'
import { usePlayer, type Player, type PlayerState } from './player.ts'

/** The list of a recording's blocks, as its request returns it. */
export type SourcesState = {
  data: SnapshotSources | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}

/** Reads the JSON lines of some blocks. */
export type ReadBlocks = (range: BlockRange, signal: AbortSignal) => Promise<ArrayBuffer>

/** Returns whether other blocks may load: a page has been shown, the player has left `from` (ms since the start), or it has no page there. */
function mayLoadOthers(from: number): (state: PlayerState) => boolean {
  return ({ hasShown, playing: { at, isWaiting, hasPicture } }) =>
    hasShown || at !== from || (!isWaiting && !hasPicture)
}

/**
 * Loads the blocks of a recording into the player, those around its position first: a seek aborts a request for others.
 * `read` must be the same function on every render.
 */
export function useSnapshots(
  player: Player,
  sources: SourcesState,
  read: ReadBlocks,
  extent: Extent = 'all',
) {
  // The first request does not wait for the frame.
  const frameLoad = usePlayer(player, (state) => Math.max(1, state.frameLoads))
  const [failure, setFailure] = useState<Error | null>(null)
  const sent = useRef({ frameLoad: 0, blocks: new Set<number>() })
  const { data, refetch } = sources
  const blocks = useMemo(() => data && blocksOf(data), [data])
  const count = data?.sources.length ?? null
  const isAllRead = usePlayer(player, ({ blocksRead }) => blocksRead === count)
  useEffect(() => {
    if (!blocks || failure) return undefined
    if (sent.current.frameLoad !== frameLoad) sent.current = { frameLoad, blocks: new Set() }
    const stop = new AbortController()
    let known = blocks
    const isSent = sent.current.blocks
    const time = () => player.start + player.state.get().playing.at
    const load = async (range: BlockRange): Promise<ArrayBuffer | null> => {
      const left = new AbortController()
      const { unsubscribe } = player.state.subscribe(() => {
        if (needsOthers(known, isSent, range, time())) left.abort()
      })
      try {
        return await read(range, AbortSignal.any([stop.signal, left.signal]))
      } catch (error) {
        if (left.signal.aborted) return null
        throw error
      } finally {
        unsubscribe()
      }
    }
    const openFrame = async () => {
      await player.when(({ frameLoads }) => frameLoads > 0, stop.signal)
      if (!stop.signal.aborted) player.send({ kind: 'recording', recording: { blocks } })
    }
    const readAll = async () => {
      const opened = openFrame()
      for (;;) {
        const { at } = player.state.get().playing
        // Reading other blocks would delay the first page.
        if (!nextBlocks(known, isSent, time(), 'shown')) await player.when(mayLoadOthers(at), stop.signal)
        const range = nextBlocks(known, isSent, time(), extent)
        if (!range) {
          if (extent === 'all') return
          await player.when(({ playing }) => playing.at !== at, stop.signal)
          if (stop.signal.aborted) return
          continue
        }
        const before = [...isSent].filter((number) => !isPage(number)).length
        const bytes = await load(range)
        if (!bytes) continue
        // Empty: the service has read the recording again since, and has deleted the page.
        if (bytes.byteLength === 0 && isPage(range.from)) {
          known = known.filter(({ number }) => number !== range.from)
          continue
        }
        await opened
        // The frame reads one range while the next one is loading; a longer queue would delay what a seek needs.
        await player.when(({ blocksRead }) => blocksRead >= before, stop.signal)
        if (stop.signal.aborted) return
        player.send({ kind: 'lines', bytes, range }, [bytes])
        for (let number = range.from; number <= range.to; number += 1) isSent.add(number)
      }
    }
    readAll().catch((error: unknown) => {
      if (!stop.signal.aborted) setFailure(error instanceof Error ? error : new Error(String(error)))
    })
    return () => stop.abort()
  }, [blocks, frameLoad, failure, read, player, extent])
  return {
    /** Number of blocks; null until it is known. */
    count,
    /** Whether the player has read all blocks. */
    isAllRead,
    error: failure ?? sources.error,
    isFetching: sources.isFetching,
    /** Continues after a failure. */
    retry: () => {
      setFailure(null)
      if (!data) void refetch()
    },
    /** Checks for new blocks. */
    refresh: () => void refetch(),
  }
}
