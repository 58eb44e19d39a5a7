import { sql } from 'kysely'
import type { Services } from '../services.ts'
import type { Store } from '../store/database.ts'
import { finishDeletions, removeRecordingsBefore, type DeletingServices } from './delete-recordings.ts'

const dayMs = 86_400_000
const keysAtOnce = 50_000

/**
 * Removes a batch of what should not be there any more: recordings past the retention that nobody keeps, and what is left
 * of deletions that were interrupted. Resolves to how many it found; with 0 nothing is left.
 */
export async function removeOldRecordings(
  services: DeletingServices & Pick<Services, 'config'>,
): Promise<number> {
  const { config, clock } = services
  const unfinished = await finishDeletions(services)
  if (unfinished > 0) return unfinished
  return await removeRecordingsBefore(services, new Date(clock.now() - config.recordingRetentionDays * dayMs))
}

/** Removes blocks that capture wrote and, being killed, never recorded; a day is longer than any capture takes. */
export async function removeOrphanedBlocks({
  store,
  clock,
  objects,
}: Pick<Services, 'store' | 'clock' | 'objects'>): Promise<void> {
  const before = clock.now() - dayMs
  const projects = await store.selectFrom('projects').select('id').orderBy('id').execute()
  for (const { id } of projects) {
    const keys = await objects.list(`recordings/${id}/`)
    const old = keys.filter((key) => (timeOfBlock(key) ?? before) < before)
    for (let start = 0; start < old.length; start += keysAtOnce)
      for (const key of await unrecorded(store, old.slice(start, start + keysAtOnce)))
        await objects.delete(key)
  }
}

/** When a block was written, in milliseconds, from the UUID version 7 that its key ends with. */
function timeOfBlock(key: string): number | null {
  const [, high, low] = /\/([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f-]{21}$/.exec(key) ?? []
  return high === undefined || low === undefined ? null : Number.parseInt(high + low, 16)
}

async function unrecorded(store: Store, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM unnest(${keys}::text[]) AS key
    WHERE NOT EXISTS (SELECT FROM session_recording_blocks WHERE object_key = key)`.execute(store)
  return rows.map(({ key }) => key)
}
