import type { Services } from '../../services.ts'
import {
  selectionText,
  walkRecordings,
  type RecordingSelection,
  type Slice,
} from '../../store/recordings/recordings-list.ts'
import type { Store } from '../../store/schema/database.ts'
import { matchingSessions } from './filter-sessions.ts'
import { conditionText, type SessionCondition } from './session-condition.ts'
import { walkedShare } from './remembered-shares.ts'

/** The ids of a page's recordings and, if there is one, of the next; `count` is an estimate of all. */
type Walk = { ids: number[]; count: number }

/** Recordings checked in the first step if the share of matches is unknown. */
const unknownFirst = 1200
/** Else, the smallest first step, and its size as a multiple of the estimated need. */
const knownMin = 100
const knownMargin = 1.2
/** Limits of later steps, and their size as a multiple of the estimated need; `chunkMax` limits the first, too. */
const chunkMin = 600
const chunkMax = 2000
const chunkMargin = 1.5

/** Checks recordings in order until the page is full; null once fewer than `countMin` of `estimate` seem to match. */
export async function walkSessions(
  services: Pick<Services, 'store' | 'warehouse'>,
  selection: RecordingSelection,
  sessionFilters: readonly SessionCondition[],
  { limit, offset }: Slice,
  { estimate, countMin }: { estimate: number; countMin: number },
): Promise<Walk | null> {
  const wanted = offset + limit + 1
  const text = walkText(services.store, selection, sessionFilters)
  const { share, rememberShare } = walkedShare(services.store, text)
  if (share !== null && estimate * share < countMin) return null
  const found: number[] = []
  let walked = 0
  while (found.length < wanted) {
    const size = chunkSize({ wanted, found: found.length, walked, share })
    const chunk = await walkRecordings(services.store, selection, { limit: size, offset: walked })
    const isInOrder = selection.order === 'start_time'
    const matching = await matchingAll(services, selection.projectId, sessionFilters, chunk, isInOrder)
    const ids = new Set(matching)
    found.push(...chunk.flatMap(({ id, session_id }) => (ids.has(session_id) ? [id] : [])))
    walked += chunk.length
    if (share === null) {
      rememberShare(found.length / Math.max(walked, 1))
      if (estimate * found.length < countMin * walked) return null
    }
    if (chunk.length < size) break
  }
  const count = Math.round(estimate * (share ?? found.length / Math.max(walked, 1)))
  return { ids: found.slice(offset, wanted), count }
}

/** Returns how many recordings the next step checks. `share`: those that match, if known. */
function chunkSize({
  wanted,
  found,
  walked,
  share,
}: {
  wanted: number
  found: number
  walked: number
  share: number | null
}): number {
  if (walked > 0) return clamp((chunkMargin * (wanted - found) * walked) / found, chunkMin)
  return share === null ? unknownFirst : clamp((knownMargin * wanted) / share, knownMin)
}

function clamp(size: number, min: number): number {
  return Math.ceil(Math.min(Math.max(size, min), chunkMax))
}

/** Returns what a walk depends on as text, the same for times within one minute. */
function walkText(
  store: Store,
  selection: RecordingSelection,
  sessionFilters: readonly SessionCondition[],
): string {
  const filters = sessionFilters.map((condition) => [condition.negated, conditionText(condition)])
  return JSON.stringify([selectionText(store, selection), selection.order, selection.direction, filters])
}

/** Returns the sessions of the recordings that meet all conditions. `isInOrder`: no other recording starts between these. */
export async function matchingAll(
  { warehouse }: Pick<Services, 'warehouse'>,
  projectId: number,
  sessionFilters: readonly SessionCondition[],
  recordings: readonly { session_id: string; started: number }[],
  isInOrder = false,
): Promise<string[]> {
  const ids = recordings.map((recording) => recording.session_id)
  if (ids.length === 0) return []
  const times = recordings.map(({ started }) => Math.floor(started))
  const period = {
    from: times.reduce((a, b) => Math.min(a, b), Infinity),
    to: times.reduce((a, b) => Math.max(a, b), 0) + 1,
  }
  const found = await Promise.all(
    sessionFilters.map((condition) =>
      matchingSessions(warehouse, projectId, condition, ids, { period, isInOrder }),
    ),
  )
  const sets = found.map((matching) => new Set(matching))
  return ids.filter((id) => sets.every((matching) => matching.has(id)))
}
