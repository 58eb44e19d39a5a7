import type { Services } from '../services.ts'
import { rowsOf } from '../store/schema/database.ts'
import { finishDeletions, removeRecordingsBefore, type DeletingServices } from './delete-recordings.ts'

const dayMs = 86_400_000
const keysPerQuery = 50_000

/**
 * Removes a batch of recordings past the retention period that are not persisted, or completes interrupted deletions.
 * Resolves to the number of recordings found; 0 means that none are left.
 */
export async function removeOldRecordings(services: DeletingServices & Pick<Services, 'config'>) {
  const { config, clock } = services
  const unfinished = await finishDeletions(services)
  if (unfinished > 0) return unfinished
  return await removeRecordingsBefore(services, new Date(clock.now() - config.recordingRetentionDays * dayMs))
}

/** Removes blocks without a row, which a crash during capture leaves. Skips the last day: capture may still be adding rows. */
export async function removeOrphanedBlocks(services: Pick<Services, 'store' | 'clock' | 'objects'>) {
  const { store, clock, objects } = services
  const before = clock.now() - dayMs
  const projects = await store.selectFrom('projects').select('id').orderBy('id').execute()
  for (const { id } of projects) {
    const keys = await objects.list(`recordings/${id}/`)
    const old = keys.filter((key) => (timeOfBlock(key) ?? before) < before)
    for (let start = 0; start < old.length; start += keysPerQuery) {
      const orphaned = await rowsOf<{ key: string }>(store)`
        SELECT key FROM unnest(${old.slice(start, start + keysPerQuery)}::text[]) AS key
        WHERE NOT EXISTS (SELECT FROM session_recording_blocks WHERE object_key = key)`
      for (const { key } of orphaned) await objects.delete(key)
    }
  }
}

/** Returns when a block was written, in milliseconds, from the UUID (version 7) at the end of its key. */
function timeOfBlock(key: string): number | null {
  const [, high, low] = /\/([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f-]{21}$/.exec(key) ?? []
  return high === undefined || low === undefined ? null : Number.parseInt(high + low, 16)
}
