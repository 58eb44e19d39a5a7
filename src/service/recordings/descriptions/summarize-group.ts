import { visitName } from '../../../contract/recordings/visit-name.ts'
import type { VisitsSummaryResult } from '../../../contract/recordings/visits-summary.ts'
import type { Services } from '../../services.ts'
import {
  claimVisitSummary,
  deleteVisitSummariesBefore,
  endVisitSummary,
  markDone,
  nextUnread,
  releaseVisitSummary,
  summarizedRecordings,
  type VisitSummaryRow,
} from '../../store/recordings/visit-summaries.ts'
import { describeVisits } from './describe-visits.ts'
import { readVisit } from './read-visit.ts'

/** Recordings read per step, and time (ms) within which a step must end. */
const stepMax = 5
const claimMs = 150_000
const keptMs = 30 * 86_400_000

/**
 * Continues the oldest summary of several visits that no other process works on: reads the next of its recordings or, if
 * all have been read, writes it. Resolves to whether there was one.
 */
export async function continueVisitsSummary(services: Services): Promise<boolean> {
  const { store, clock } = services
  const summary = await claimVisitSummary(store, clock.now(), claimMs)
  if (!summary) {
    await deleteVisitSummariesBefore(store, new Date(clock.now() - keptMs))
    return false
  }
  const unread = await nextUnread(store, summary.id, stepMax)
  if (unread.length === 0) {
    const result = await write(services, summary)
    await endVisitSummary(store, summary.id, {
      status: 'Completed',
      result,
      finished_at: new Date(clock.now()),
    })
    return true
  }
  for (const recording of unread) {
    await readVisit(services, recording, { ongoing: false, isUrgent: false }).catch((error: unknown) =>
      services.logger.warn({ err: error, recording: recording.id }, 'failed to summarize a recording'),
    )
    await markDone(store, summary.id, recording.id)
  }
  await releaseVisitSummary(store, summary.id)
  return true
}

async function write({ store }: Services, summary: VisitSummaryRow): Promise<VisitsSummaryResult> {
  const { id, matched, total } = summary
  const recordings = await summarizedRecordings(store, id)
  const visits = recordings.flatMap(({ session_id, distinct_id, name, facts }) =>
    facts ? [{ recording: session_id, name: visitName(name, distinct_id), distinct_id, facts }] : [],
  )
  return describeVisits(visits, { matched, unread: total - visits.length })
}
