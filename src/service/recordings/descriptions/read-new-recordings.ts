import type { Services } from '../../services.ts'
import { claimUnread, postponeRecording, releaseRecordings } from '../../store/recordings/recording-facts.ts'
import { readRecording } from './read-recording.ts'

/** Recordings claimed at once; reading them must take less time than their claim lasts. */
const batchMax = 4

/**
 * Reads recordings with new data, of each project in turn, and stores their facts and summaries; resolves to the number
 * found. A recording that cannot be read is tried again later. `served`: the projects that have had a turn, the latest last;
 * the caller keeps the set between calls.
 */
export async function readNewRecordings(
  services: Services,
  served = new Set<number>(),
  signal?: AbortSignal,
): Promise<number> {
  const { store, clock, logger } = services
  const claimed = await claimUnread(store, { now: clock.now(), limit: batchMax, served: [...served] })
  for (const { project_id } of claimed) {
    served.delete(project_id)
    served.add(project_id)
  }
  const left = new Set(claimed.map(({ id }) => id))
  for (const recording of claimed) {
    if (signal?.aborted) break
    try {
      await readRecording(services, recording, { ongoing: false, waiting: 'jobs', signal })
    } catch (error) {
      if (signal?.aborted) break
      logger.warn({ err: error, recording: recording.id }, 'failed to summarize a recording')
      await postponeRecording(store, recording, clock.now())
    }
    left.delete(recording.id)
  }
  if (left.size > 0) await releaseRecordings(store, [...left])
  return claimed.length
}
