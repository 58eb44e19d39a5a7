import { formatInstant } from '../../../contract/instant.ts'
import type { Services } from '../../services.ts'
import { storeSummary, type StoredSummary } from '../../store/recordings/recording-summaries.ts'
import { storePages } from '../../store/recordings/recording-pages.ts'
import { storeFacts } from '../../store/recordings/recording-facts.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { summaryMarkdown } from '../summary/summary-markdown.ts'
import { readSession, type SessionOptions } from './read-session.ts'
import { sessionDevice } from './session-device.ts'

/**
 * Reads a recording once, stores its facts, summary and pages, and returns the summary. Of an ongoing session, only the
 * summary is stored. @throws if none of its blocks can be read.
 */
export async function readRecording(
  services: Services,
  recording: RecordingRow,
  { ongoing, ...options }: Omit<SessionOptions, 'device'>,
): Promise<StoredSummary> {
  const { store, warehouse, clock, logger } = services
  const device = ongoing ? null : await sessionDevice(warehouse, recording)
  const { summary, facts, pages, hasGap } = await readSession(services, recording, {
    ...options,
    ongoing,
    device,
  })
  const byRules = {
    written_by: 'rules',
    model: null,
    fallback: null,
    made_at: formatInstant(clock.now()),
  } as const
  const made = { content: summaryMarkdown(summary), summary: { ...summary, ...byRules } }
  // Blocks that could not be read may be readable next time.
  if (!hasGap) await storeSummary(store, recording, made)
  // First, because stored facts mark the recording as read. Without pages, the recording only opens more slowly.
  if (facts && !hasGap)
    await storePages(store, recording.id, pages).catch((error: unknown) =>
      logger.warn({ err: error, recording: recording.id }, 'failed to store the pages of a recording'),
    )
  if (facts) await storeFacts(store, recording, facts)
  return made
}
