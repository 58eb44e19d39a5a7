import type { Services } from '../../services.ts'
import { recordingSettings } from '../../store/recording-settings.ts'
import { blockKeys } from '../../store/recording-blocks.ts'
import {
  countWaiting,
  insertFoundFiles,
  listUnsearched,
  markSearched,
  type FoundFile,
  type Unsearched,
} from '../../store/recording-assets.ts'
import { readBlock } from '../replay/blocks.ts'
import { referencesMax, type Bases } from './reference-finder.ts'
import { startReferenceThread, type ReferenceThread } from './reference-thread.ts'
import type { FoundReferences } from './reference-worker.ts'

/** Recordings per search, and blocks of a recording that are searched before the next recording. */
const batchMax = 50
const blocksMax = 20
/** Largest number of pending files of a project. */
const waitingMax = 20_000

type SearchServices = Pick<Services, 'store' | 'objects' | 'clock' | 'logger'>

export type AssetSearch = {
  /** Searches new blocks of recordings for the files that they name; resolves to the number of recordings found. */
  run(): Promise<number>
  /** Call this when no search is running. */
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

/** Searches some blocks. Marks them as searched together with their files, so a crash loses nothing. */
async function searchRecording(
  services: SearchServices,
  thread: ReferenceThread,
  recording: Unsearched,
): Promise<void> {
  const { store } = services
  const first = recording.asset_block_count
  const keys = await blockKeys(store, recording.id, first, first + blocksMax - 1)
  const files = new Map<string, FoundFile>()
  let bases = recording.asset_bases ?? {}
  for (const key of keys) {
    const references = await searchBlock(services, thread, { key, bases })
    for (const [url, is_stylesheet] of references.found)
      if (!files.has(url)) files.set(url, { url, is_stylesheet })
    bases = references.bases
  }
  const missing = files.size === 0 ? null : await whyMissing(services, recording.project_id)
  await store.transaction().execute(async (transaction) => {
    const asset_block_count = keys.length > 0 ? first + keys.length : recording.block_count
    const searched = { asset_block_count, asset_bases: JSON.stringify(bases) }
    if (!(await markSearched(transaction, recording.id, first, searched))) return
    const found = { recording, files: [...files.values()], depth: 0, missing }
    await insertFoundFiles(transaction, found, referencesMax)
  })
}

/** Returns the files that a block names; none if the block cannot be read. */
async function searchBlock(
  { objects, logger }: SearchServices,
  thread: ReferenceThread,
  { key, bases }: { key: string; bases: Bases },
): Promise<FoundReferences> {
  try {
    return await thread.search({ lines: await readBlock(objects, key), bases })
  } catch (error) {
    logger.warn({ err: error, key }, 'a block could not be searched for files')
    return { found: [], bases }
  }
}

/** Returns why new files of a project will not be fetched; null if they will be. */
async function whyMissing({ store, clock }: SearchServices, projectId: number) {
  const at = new Date(clock.now())
  const { assets } = await recordingSettings(store, projectId)
  if (assets === 'off') return { reason: 'The project does not fetch the files of recordings.', at }
  const waiting = await countWaiting(store, projectId, waitingMax)
  return waiting < waitingMax
    ? null
    : { reason: 'Too many files of the project were waiting to be fetched.', at }
}
