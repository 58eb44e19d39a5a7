import type { Services } from '../../services.ts'
import type { StoreTransaction } from '../../store/schema/database.ts'
import { recordingSettings } from '../../store/recordings/recording-settings.ts'
import { blockKeys } from '../../store/recordings/recording-blocks.ts'
import {
  countWaiting,
  insertFoundFiles,
  listUnsearched,
  markSearched,
  refuseFoundFiles,
  searchAgain,
  type FoundFile,
  type Unsearched,
} from '../../store/recordings/asset-search.ts'
import { readBlock } from '../../snapshots/blocks.ts'
import { referencesMax, type Bases } from './reference-finder.ts'
import { openReferenceThread, searchFor, type ReferenceThread } from './reference-thread.ts'
import type { FoundReferences } from './reference-worker.ts'

/** Recordings per search, in all and of a project, and blocks of a recording that are searched before the next recording. */
const batch = { max: 50, perProject: 10 }
const blocksMax = 5
/** With `project` files pending in a project, each of its recordings has at most `recording`; the others stay unsearched. */
export const pendingLimit = { project: 20_000, recording: 20 }
export type PendingLimit = typeof pendingLimit
/** Time (ms) after which a recording's remaining files are searched again. */
const waitMs = 60_000

type SearchServices = Pick<Services, 'store' | 'objects' | 'clock' | 'logger'>

export type AssetSearch = ReturnType<typeof openAssetSearch>

export function openAssetSearch(services: SearchServices, limit = pendingLimit) {
  const thread = openReferenceThread()
  return {
    /** Searches new blocks of recordings for the files that they name; resolves to the number of recordings found. */
    async run() {
      const now = new Date(services.clock.now())
      const recordings = await listUnsearched(services.store, { now, ...batch })
      for (const recording of recordings) await searchRecording(services, thread, recording, limit)
      if (recordings.length === 0) await thread.stop()
      return recordings.length
    },
    /** Call this when no search is running. */
    stop: () => thread.stop(),
  }
}

/** Searches some blocks. Marks them as searched together with their files, so a crash loses nothing. */
async function searchRecording(
  services: SearchServices,
  thread: ReferenceThread,
  recording: Unsearched,
  limit: PendingLimit,
): Promise<void> {
  const { store, clock } = services
  const first = recording.asset_block_count
  const keys = await blockKeys(store, recording.id, first, first + blocksMax - 1)
  const files = new Map<string, FoundFile>()
  let bases = recording.asset_bases ?? {}
  for (const key of keys) {
    const references = await searchBlock(services, thread, key, bases)
    for (const [url, is_stylesheet] of references.found)
      if (!files.has(url)) files.set(url, { url, is_stylesheet })
    bases = references.bases
  }
  const { assets } = await recordingSettings(store, recording.project_id)
  await store.transaction().execute(async (transaction) => {
    const asset_block_count = keys.length > 0 ? first + keys.length : recording.block_count
    const searched = { asset_block_count, asset_bases: JSON.stringify(bases) }
    if (!(await markSearched(transaction, recording.id, first, searched))) return
    const found = { recording, files: [...files.values()], depth: 0 }
    if (assets === 'off') return await refuseFoundFiles(transaction, found, refusal)
    const room = await roomFor(transaction, recording, limit)
    const left = await insertFoundFiles(transaction, found, { countMax: referencesMax, room })
    const at = new Date(clock.now() + waitMs)
    if (left > 0) await searchAgain(transaction, recording.id, { from: recording, at })
  })
}

const refusal = { reason: 'The project does not fetch the files of recordings.', countMax: referencesMax }

/** Returns how many more files of a recording may wait to be fetched. */
export async function roomFor(
  transaction: StoreTransaction,
  recording: Pick<Unsearched, 'id' | 'project_id'>,
  limit: PendingLimit,
) {
  const waiting = await countWaiting(transaction, recording, limit.project)
  return Math.max(limit.project - waiting.project, limit.recording - waiting.recording, 0)
}

/** Returns the files that a block names; none if the block cannot be read. */
async function searchBlock(
  { objects, logger }: SearchServices,
  thread: ReferenceThread,
  key: string,
  bases: Bases,
): Promise<FoundReferences> {
  try {
    return await searchFor(thread, { lines: await readBlock(objects, key), bases })
  } catch (error) {
    logger.warn({ err: error, key }, 'failed to search a block for files')
    return { found: [], bases }
  }
}
