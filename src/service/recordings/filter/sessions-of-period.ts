import { sessionsOutside } from '../../store/recordings/recordings-list.ts'
import type { Store } from '../../store/schema/database.ts'

/** Time range of the recordings in question, in milliseconds since the epoch. */
export type Period = { from: number | null; to: number | null }

/** Sessions by their ids: those from `first` to before `last`, and `others`; null if there are too many of these to name. */
export type Span = { first: string; last: string; others: Promise<readonly string[] | null> }

/** Length limit (ms) of a posthog-js session, so none of its events is further from its recording's start. */
export const sessionMsMax = 86_400_000

/** Longest time (ms) between that in an id and the start of its recording; sessions with other ids are named one by one. */
const idDifferenceMsMax = 3_600_000
/** Recordings whose ids do not begin with their time; reading more would take longer than looking through the events. */
const untimedMax = 100_000
/** Sessions that are named because their ids are not in the range. */
const namedMax = 1000

/** Returns the sessions that can have a recording that starts in a period with a beginning. */
export function sessionsOfPeriod(
  store: Store,
  projectId: number,
  { from, to }: { from: number; to: number | null },
): Span {
  // Of an id that is a UUID of version 7. None of them has a letter above f.
  const range = {
    first: idAt(from - idDifferenceMsMax),
    last: to === null ? 'g' : idAt(Math.ceil(to) + idDifferenceMsMax),
  }
  const outside = sessionsOutside(store, projectId, { from, to, ...range }, untimedMax)
  return { ...range, others: outside.then((ids) => (ids && ids.length <= namedMax ? ids : null)) }
}

/** Returns the beginning of the ids that begin with a time (ms since the epoch). */
function idAt(time: number): string {
  const hexadecimal = Math.max(0, Math.floor(time)).toString(16).padStart(12, '0')
  return `${hexadecimal.slice(0, 8)}-${hexadecimal.slice(8)}`
}
