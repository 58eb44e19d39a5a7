import type { Services } from '../../services.ts'
import { claimUnread, postponeVisit, releaseVisits } from '../../store/recording-visits.ts'
import { readVisit } from './read-visit.ts'

/** Recordings claimed at once; reading them must take less time than their claim lasts. */
const batchMax = 4

/**
 * Reads recordings with new data and stores their facts and summaries; resolves to the number found. A recording that
 * cannot be read is tried again later.
 */
export async function readNewVisits(services: Services, signal?: AbortSignal): Promise<number> {
  const { store, clock, logger } = services
  const claimed = await claimUnread(store, clock.now(), batchMax)
  for (const [index, recording] of claimed.entries()) {
    if (signal?.aborted) {
      await releaseVisits(
        store,
        claimed.slice(index).map(({ id }) => id),
      )
      break
    }
    try {
      await readVisit(services, recording, false)
    } catch (error) {
      logger.warn({ err: error, recording: recording.id }, 'a recording could not be summarized')
      await postponeVisit(store, recording, clock.now())
    }
  }
  return claimed.length
}
