import { Thread, ThreadFailed } from '../../engines/run-in-thread.ts'
import { busy, conflict } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import type { Bases } from '../assets/reference-finder.ts'
import { LostBlock, readBlock } from '../../snapshots/blocks.ts'
import type { LinkLimits } from './cut-events.ts'
import type { CutRequest, CutResult } from './cut-worker.ts'
import type { SharedPart } from './shared-part.ts'

/** Bytes of lines that one request may read, and bytes of results that are kept for the next visitor. */
const readBytesMax = 100_000_000
const keptBytesMax = 64_000_000
/** Blocks that are searched for files at once. */
const searchedBlocks = 20
/** Parts that wait for the thread, and those of one link; more would wait longer than visitors do. */
const waitingMax = { all: 50, link: 10 }
const limit = { elapsedMs: 20_000 }

type CutServices = Pick<Services, 'objects' | 'logger'>
type Range = { first: number; last: number }

/** `name` names the recording and its number of blocks. */
type Source = { name: string; linkId: string; part: SharedPart; limits: LinkLimits }

export type Cutter = ReturnType<typeof openCutter>

/** Cuts what links show out of the blocks of recordings, in a thread, and keeps recent results. */
export function openCutter(services: CutServices) {
  const thread = new Thread<CutRequest, CutResult>({
    worker: new URL('./cut-worker.ts', import.meta.url),
    memoryMaxMb: 512,
    waitingMax: waitingMax.all,
  })
  /** `bytes` is 0 until the result is known. */
  const kept = new Map<string, { result: Promise<Buffer>; bytes: number }>()
  let keptBytes = 0

  const cut = async ({ linkId, part, limits }: Source, range: Range, bases: CutRequest['bases']) => {
    const { blocks, bytes, withStart, uses } = part.reading(range.first, range.last)
    if (bytes > readBytesMax)
      throw conflict('This part of the recording is too large to cut. Share the recording as a whole.')
    const turn = { lane: linkId, laneMax: waitingMax.link, limit }
    try {
      // The blocks are read when the turn comes, so that only one request at a time is in memory.
      return await thread.runInThread(async (ask) => {
        const read = await Promise.all(
          blocks.map(async ({ key, isWanted }) => ({ isWanted, lines: await linesOf(services, key) })),
        )
        return await ask({ limits, blocks: read, withStart, uses, bases })
      }, turn)
    } catch (error) {
      if (!(error instanceof ThreadFailed)) throw error
      throw busy('This part of the recording could not be prepared in time. Try again in a minute.', error)
    }
  }

  /** Returns a kept result or computes it, once for all concurrent requests. */
  const keep = (key: string, compute: () => Promise<Buffer>): Promise<Buffer> => {
    const known = kept.get(key)
    if (known) return known.result
    const entry = { result: compute(), bytes: 0 }
    kept.set(key, entry)
    void dropOldest(key, entry)
    return entry.result
  }
  /** Drops the oldest results while all results together exceed the limit. */
  const dropOldest = async (added: string, entry: { result: Promise<Buffer>; bytes: number }) => {
    try {
      entry.bytes = (await entry.result).length + added.length
      keptBytes += entry.bytes
    } catch {
      // The caller reports the failure; the next request tries again.
      kept.delete(added)
      return
    }
    for (const [key, { bytes }] of kept) {
      if (keptBytes <= keptBytesMax) return
      if (bytes === 0) continue
      kept.delete(key)
      keptBytes -= bytes
    }
  }

  return {
    /** Returns the JSON lines of some blocks of the part, both ends included. */
    lines(source: Source, range: Range) {
      return keep(JSON.stringify([source.name, source.limits, range]), async () => {
        const result = await cut(source, range, null)
        return Buffer.from('lines' in result ? result.lines : '')
      })
    },
    /** Returns the URLs of the files that the part names. */
    async files(source: Source): Promise<ReadonlySet<string>> {
      const { name, part, limits } = source
      const list = await keep(JSON.stringify([name, limits, 'files']), async () => {
        const urls = new Set<string>()
        let bases: Bases = {}
        for (let first = 0; first < part.count; first += searchedBlocks) {
          const last = Math.min(part.count, first + searchedBlocks) - 1
          const result = await cut(source, { first, last }, bases)
          if (!('urls' in result)) continue
          for (const url of result.urls) urls.add(url)
          bases = result.bases
        }
        return Buffer.from(JSON.stringify([...urls]))
      })
      const urls: string[] = JSON.parse(list.toString('utf8'))
      return new Set(urls)
    },
  }
}

/** Returns the lines of a block; a lost block has none. */
async function linesOf({ objects, logger }: CutServices, key: string) {
  try {
    return await readBlock(objects, key)
  } catch (error) {
    if (!(error instanceof LostBlock)) throw error
    logger.error({ err: error }, 'failed to read a block of a recording')
    return Buffer.alloc(0)
  }
}
