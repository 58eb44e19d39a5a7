import type { QueryClient } from '@tanstack/react-query'
import { recordingQuery } from '../../queries/recordings/recording.ts'
import { readBlocks, snapshotSourcesQuery, type SnapshotsOf } from '../../queries/recordings/snapshots.ts'
import { dropEarlyFrame, loadFrameEarly } from './early-frame.ts'
import { blocksOf, nextBlocks, type BlockRange } from './block-order.ts'
import type { ReadBlocks } from './use-snapshots.ts'

/** The request for the blocks that a player needs first, made before the player exists. */
let early: { name: string; bytes: Promise<ArrayBuffer>; stop: AbortController } | null = null

/** Starts what a player needs before it is rendered: its frame, and the blocks that show a time (s since the start). */
export function prepareRecording(client: QueryClient, of: SnapshotsOf, at: number): void {
  loadFrameEarly()
  // The page that is not rendered then reports the error.
  requestFirstBlocks(client, of, at).catch(dropEarlyFrame)
}

async function requestFirstBlocks(client: QueryClient, of: SnapshotsOf, at: number): Promise<void> {
  const [sources, recording] = await Promise.all([
    client.ensureQueryData(snapshotSourcesQuery(of)),
    client.ensureQueryData(recordingQuery(of.projectId, of.id)),
  ])
  const range = nextBlocks(blocksOf(sources), new Set(), Date.parse(recording.start_time) + at * 1000)
  if (!range) return
  const stop = new AbortController()
  early?.stop.abort()
  const bytes = readBlocks(of, range, stop.signal)
  // The player that takes the blocks reports the error.
  bytes.catch(() => undefined)
  early = { name: nameOf(of, range), bytes, stop }
}

/** Returns a function that reads blocks of a recording: those requested first are read once. */
export function blocksReader(of: SnapshotsOf): ReadBlocks {
  return (range, signal) => {
    const taken = early?.name === nameOf(of, range) ? early : null
    if (!taken) return readBlocks(of, range, signal)
    early = null
    signal.addEventListener('abort', () => taken.stop.abort())
    return taken.bytes
  }
}

function nameOf({ projectId, id }: SnapshotsOf, { from, to }: BlockRange): string {
  return [projectId, id, from, to].join()
}
