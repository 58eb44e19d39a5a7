import { formatInstant } from '../../../contract/instant.ts'
import type { Services } from '../../services.ts'
import { storeSummary, type StoredSummary } from '../../store/recordings/recording-summaries.ts'
import { storeVisit } from '../../store/recordings/recording-visits.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { capturedEvents } from '../facts/captured-event.ts'
import { readSession } from '../facts/read-session.ts'
import { ruleSummary } from '../summary/rule-summary.ts'
import { sessionFacts } from '../facts/session-facts.ts'
import { summaryMarkdown } from '../summary/summary-markdown.ts'
import { sessionDevices } from './session-devices.ts'
import { visitFacts } from './visit-facts.ts'

/**
 * Reads a recording once, stores its facts and summary, and returns the summary. Of an ongoing session, only the summary
 * is stored. @throws if none of its blocks can be read.
 */
export async function readVisit(
  services: Services,
  recording: RecordingRow,
  ongoing: boolean,
): Promise<StoredSummary> {
  const { store, warehouse, clock } = services
  const { project_id, activity } = recording
  const captured = await capturedEvents(warehouse, recording)
  const { follower, readUntil, hasGap } = await readSession(services, recording, captured, ongoing)
  const [start, end] = [recording.start_time.getTime(), recording.end_time.getTime()]
  const session = sessionFacts(follower, { start, end, ongoing, readUntil, activity })
  const byRules = ruleSummary(session)
  const made = {
    content: summaryMarkdown(byRules),
    summary: {
      ...byRules,
      written_by: 'rules',
      model: null,
      fallback: null,
      made_at: formatInstant(clock.now()),
    },
  } as const
  // Blocks that could not be read may be readable next time.
  if (!hasGap) await storeSummary(store, recording, made)
  if (ongoing) return made
  const deviceOf = await sessionDevices(warehouse, project_id, [recording])
  const device = deviceOf(recording)
  const summary = byRules.sentences[0]?.text ?? null
  const facts = visitFacts({ session, strip: follower.log.strip, activity, device, summary })
  await storeVisit(store, recording, facts)
  return made
}
