import type { Services } from '../../services.ts'
import { claimUnread, postponeVisit, releaseVisits } from '../../store/recordings/recording-visits.ts'
import { readVisit } from './read-visit.ts'

/** Recordings claimed at once; reading them must take less time than their claim lasts. */
const batchMax = 4

/**
 * Reads recordings with new data, of each project in turn, and stores their facts and summaries; resolves to the number
 * found. A recording that cannot be read is tried again later. `served`: the projects that have had a turn, the latest last;
 * the caller keeps the set between calls.
 */
export async function readNewVisits(
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
  for (const [index, recording] of claimed.entries()) {
    if (signal?.aborted) {
      await releaseVisits(
        store,
        claimed.slice(index).map(({ id }) => id),
      )
      break
    }
    try {
      await readVisit(services, recording, { ongoing: false, isUrgent: false })
    } catch (error) {
      logger.warn({ err: error, recording: recording.id }, 'failed to summarize a recording')
      await postponeVisit(store, recording, clock.now())
    }
  }
  return claimed.length
}
