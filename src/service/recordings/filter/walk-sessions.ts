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
    const step = { limit: size, offset: walked }
    const { ids, sessionIds, startMin, startMax } = await walkRecordings(services.store, selection, step)
    const isInOrder = selection.order === 'start_time'
    const options = { period: periodBetween(startMin, startMax), isInOrder }
    const matching = new Set(
      await matchingIds(services, selection.projectId, sessionFilters, sessionIds, options),
    )
    found.push(...ids.filter((_, index) => matching.has(sessionIds[index] ?? '')))
    walked += ids.length
    if (share === null) {
      rememberShare(found.length / Math.max(walked, 1))
      if (estimate * found.length < countMin * walked) return null
    }
    if (ids.length < size) break
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

/** Returns the sessions of the recordings that meet all conditions. */
export async function matchingAll(
  services: Pick<Services, 'warehouse'>,
  projectId: number,
  sessionFilters: readonly SessionCondition[],
  recordings: readonly { session_id: string; started: number }[],
): Promise<string[]> {
  const times = recordings.map(({ started }) => started)
  const startMin = times.reduce((a, b) => Math.min(a, b), Infinity)
  const startMax = times.reduce((a, b) => Math.max(a, b), 0)
  const ids = recordings.map((recording) => recording.session_id)
  const period = periodBetween(startMin, startMax)
  return await matchingIds(services, projectId, sessionFilters, ids, { period, isInOrder: false })
}

/** Returns the shortest period in whole ms, without its end, that contains these starts (ms since the epoch). */
function periodBetween(startMin: number, startMax: number): { from: number; to: number } {
  return { from: Math.floor(startMin), to: Math.floor(startMax) + 1 }
}

/** Returns those of the sessions that meet all conditions. `isInOrder`: no other recording starts between theirs. */
async function matchingIds(
  { warehouse }: Pick<Services, 'warehouse'>,
  projectId: number,
  sessionFilters: readonly SessionCondition[],
  ids: readonly string[],
  options: { period: { from: number; to: number }; isInOrder: boolean },
): Promise<string[]> {
  if (ids.length === 0) return []
  const found = await Promise.all(
    sessionFilters.map((condition) => matchingSessions(warehouse, projectId, condition, ids, options)),
  )
  const sets = found.map((matching) => new Set(matching))
  return ids.filter((id) => sets.every((matching) => matching.has(id)))
}
