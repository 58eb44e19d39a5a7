import type { Services } from '../../services.ts'
import { recordingSettings } from '../../store/recording-settings.ts'
import { blockKeys } from '../../store/recording-blocks.ts'
import {
  countWaiting,
  insertFoundFiles,
  listUnsearched,
  markSearched,
  type Unsearched,
} from '../../store/recording-assets.ts'
import { readBlock } from '../replay/blocks.ts'
import { referencesMax } from './reference-finder.ts'
import { startReferenceThread, type ReferenceThread } from './reference-thread.ts'
import type { FoundReferences } from './reference-worker.ts'

/** Recordings found at a time, and blocks of one that are searched before the next recording. */
const batchMax = 20
const blocksMax = 10
/** Files of a project that may wait to be fetched. */
const waitingMax = 20_000

type SearchServices = Pick<Services, 'store' | 'objects' | 'clock' | 'logger'>

export type AssetSearch = {
  /** Searches new blocks of recordings for the files that they name; resolves to the number of recordings found. */
  run(): Promise<number>
  /** Call it when nothing runs. */
  stop(): Promise<void>
}

export function openAssetSearch(services: SearchServices): AssetSearch {
  const thread = startReferenceThread()
  return {
    async run() {
      const recordings = await listUnsearched(services.store, batchMax)
      for (const recording of recordings) await searchRecording(services, thread, recording)
      if (recordings.length === 0) await thread.stop()
      return recordings.length
    },
    stop: () => thread.stop(),
  }
}

/** Searches a few blocks. Each commits with what it names, so a crash loses none and repeats at most one. */
async function searchRecording(
  services: SearchServices,
  thread: ReferenceThread,
  recording: Unsearched,
): Promise<void> {
  const { store } = services
  const first = recording.asset_block_count
  const keys = await blockKeys(store, recording.id, first, first + blocksMax - 1)
  let bases = recording.asset_bases ?? {}
  for (const [index, key] of keys.entries()) {
    const references = await searchBlock(services, thread, { key, bases })
    const files = references.found.map(([url, is_stylesheet]) => ({ url, is_stylesheet }))
    const missing = await whyMissing(services, recording.project_id)
    const isCurrent = await store.transaction().execute(async (transaction) => {
      const searched = { asset_block_count: first + index + 1, asset_bases: JSON.stringify(references.bases) }
      if (!(await markSearched(transaction, recording.id, first + index, searched))) return false
      await insertFoundFiles(transaction, { recording, files, depth: 0, missing }, referencesMax)
      return true
    })
    if (!isCurrent) return
    bases = references.bases
  }
}

/** Returns what a block names; nothing if the block cannot be read. */
async function searchBlock(
  { objects, logger }: SearchServices,
  thread: ReferenceThread,
  { key, bases }: { key: string; bases: Record<string, string> },
): Promise<FoundReferences> {
  try {
    return await thread.search({ lines: await readBlock(objects, key), bases })
  } catch (error) {
    logger.warn({ err: error, key }, 'a block could not be searched for files')
    return { found: [], bases }
  }
}

/** Returns why the files that a project's recordings name now will not be fetched; null if they will. */
async function whyMissing({ store, clock }: SearchServices, projectId: number) {
  const at = new Date(clock.now())
  const { assets } = await recordingSettings(store, projectId)
  if (assets === 'off') return { reason: 'The project does not fetch the files of recordings.', at }
  const waiting = await countWaiting(store, projectId, waitingMax)
  return waiting < waitingMax
    ? null
    : { reason: 'Too many files of the project were waiting to be fetched.', at }
}
