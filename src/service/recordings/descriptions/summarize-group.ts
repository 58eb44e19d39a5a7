import { visitorName } from '../../../contract/recordings/visitor-name.ts'
import type { Services } from '../../services.ts'
import {
  claimGroupSummary,
  deleteGroupSummariesBefore,
  endGroupSummary,
  type GroupSummaryRow,
  markDone,
  nextUnread,
  releaseGroupSummary,
  summarizedRecordings,
} from '../../store/recordings/group-summaries.ts'
import { describeGroup } from './describe-group.ts'
import { readRecording } from './read-recording.ts'

/** Recordings read per step, and time (ms) within which a step must end. */
const stepMax = 5
const claimMs = 150_000
const keptMs = 30 * 86_400_000

/**
 * Continues the oldest summary of several recordings that no other process works on: reads the next of its recordings or, if
 * all have been read, writes it. Resolves to whether there was one.
 */
export async function continueGroupSummary(services: Services): Promise<boolean> {
  const { store, clock } = services
  const summary = await claimGroupSummary(store, clock.now(), claimMs)
  if (!summary) {
    await deleteGroupSummariesBefore(store, new Date(clock.now() - keptMs))
    return false
  }
  const unread = await nextUnread(store, summary.id, stepMax)
  if (unread.length === 0) {
    const result = await write(services, summary)
    const finished_at = new Date(clock.now())
    await endGroupSummary(store, summary.id, { status: 'Completed', result, finished_at })
    return true
  }
  for (const recording of unread) {
    await readRecording(services, recording, { ongoing: false, waiting: 'jobs' }).catch((error: unknown) =>
      services.logger.warn({ err: error, recording: recording.id }, 'failed to summarize a recording'),
    )
    await markDone(store, summary.id, recording.id)
  }
  await releaseGroupSummary(store, summary.id)
  return true
}

async function write({ store }: Services, summary: GroupSummaryRow) {
  const { id, matched, total } = summary
  const recordings = await summarizedRecordings(store, id)
  const members = recordings.flatMap(({ session_id, distinct_id, name, facts }) =>
    facts ? [{ recording: session_id, name: visitorName(name, distinct_id), distinct_id, facts }] : [],
  )
  return describeGroup(members, { matched, unread: total - members.length })
}
