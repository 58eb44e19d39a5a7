import { sql } from 'kysely'
import type { RecordingFilter, RecordingListQuery } from '../../../contract/recordings/recording-filter.ts'
import type { Services } from '../../services.ts'
import {
  collectRecordings,
  countedMax,
  countRecordings,
  recordingsAfter,
  recordingsById,
  selectedSessions,
  selectedShare,
  walkRecordings,
  type RecordingSelection,
  type Slice,
} from '../../store/recordings/recordings-list.ts'
import type { Store } from '../../store/schema/database.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import type { RowCondition } from './filter-rows.ts'
import {
  allSessionsWith,
  matchingSessions,
  searchesAllEvents,
  type SessionCondition,
} from './filter-sessions.ts'
import { readFilter, type SessionQuery } from './read-filter.ts'

export type FilteredPage<Recording> = {
  count: number
  isEstimate: boolean
  hasNext: boolean
  recordings: Recording[]
}

type Ids = FilteredPage<number>

/**
 * Returns a page of the recordings that a filter selects; counts above `countedMax` are estimated from a sample.
 * @throws ApiError 400 naming the parameter.
 */
export async function pageOfRecordings(
  services: Pick<Services, 'store' | 'warehouse' | 'clock'>,
  projectId: number,
  query: RecordingListQuery,
): Promise<FilteredPage<RecordingRow>> {
  const { store } = services
  const { conditions, ...sessions } = await readFilter(services, projectId, query)
  const selection = { projectId, conditions, order: query.order, direction: query.order_direction }
  const page =
    sessions.sessionFilters.length === 0
      ? await pageOfRows(store, selection, query)
      : await pageOfSessions(services, selection, sessions, query)
  return { ...page, recordings: await recordingsById(store, page.recordings) }
}

/** Recordings checked per step when conditions on sessions are applied to all of them. */
const stepMax = 2000

/**
 * Returns a filter as conditions on `recording`. Conditions on sessions become a list of session ids, which ends soon
 * after `limit` ids. @throws ApiError 400 naming the parameter.
 */
export async function conditionsOf(
  services: Pick<Services, 'store' | 'warehouse' | 'clock'>,
  projectId: number,
  query: RecordingFilter,
  limit: number,
): Promise<RowCondition[]> {
  const { conditions, sessionFilters, period } = await readFilter(services, projectId, query)
  if (sessionFilters.length === 0) return [...conditions]
  const { listed, unlisted } = await listSessions(services, projectId, { sessionFilters, period })
  const narrowed = [...conditions, ...listed]
  if (unlisted.length === 0) return narrowed
  const ids: string[] = []
  let after = 0
  while (ids.length <= limit) {
    const rows = await recordingsAfter(services.store, { projectId, conditions: narrowed }, after, stepMax)
    ids.push(...(await matchingAll(services, projectId, unlisted, rows)))
    const last = rows.at(-1)
    if (!last || rows.length < stepMax) break
    after = last.id
  }
  return [...narrowed, inSessions(ids)]
}

/** Turns conditions that few sessions match into lists of session ids (`listed`); the others stay unchanged (`unlisted`). */
export async function listSessions(
  { warehouse }: Pick<Services, 'warehouse'>,
  projectId: number,
  { sessionFilters, period }: SessionQuery,
): Promise<{ listed: RowCondition[]; unlisted: SessionCondition[] }> {
  const sessions = await Promise.all(
    sessionFilters.map((condition) => allSessionsWith(warehouse, projectId, condition, period)),
  )
  const listed = sessionFilters.flatMap(({ negated }, index) => {
    const ids = sessions[index]
    return ids ? [inSessions(ids, negated)] : []
  })
  return { listed, unlisted: sessionFilters.filter((_, index) => !sessions[index]) }
}

type Engines = Pick<Services, 'store' | 'warehouse'>

/**
 * Returns a page when filters apply to sessions. Filters that few sessions match become lists of ids, so that the count is
 * exact. Meanwhile, the others are checked while walking through the recordings, of which the first usually fill the page.
 */
async function pageOfSessions(
  services: Engines,
  selection: RecordingSelection,
  { sessionFilters, period }: SessionQuery,
  slice: Slice,
): Promise<Ids> {
  const { store } = services
  const total = await countRecordings(store, selection.projectId)
  const estimate = await estimateOf(store, selection, total)
  const walk =
    estimate > countedMax
      ? walkSessions(services, selection, sessionFilters, slice, { estimate, countMin: countedMax })
      : Promise.resolve(null)
  const filledFirst = sessionFilters.some(searchesAllEvents) ? await walk : null
  if (filledFirst) return filledFirst
  const [page, { listed, unlisted }] = await Promise.all([
    walk,
    listSessions(services, selection.projectId, { sessionFilters, period }),
  ])
  const narrowed = { ...selection, conditions: [...selection.conditions, ...listed] }
  if (unlisted.length === 0) return await pageOfRows(store, narrowed, slice)
  if (page && listed.length === 0) return page
  const remaining = listed.length === 0 ? estimate : await estimateOf(store, narrowed, total)
  return await pageThroughSessions(services, narrowed, unlisted, slice, remaining)
}

function inSessions(ids: readonly string[], negated = false): RowCondition {
  return negated
    ? sql`recording.session_id <> ALL (${ids}::text[])`
    : sql`recording.session_id = ANY (${ids}::text[])`
}

/** Estimate up to which recordings are counted on trial, because a sample of few is inaccurate. */
const triedMax = 1.5 * countedMax

async function pageOfRows(store: Store, selection: RecordingSelection, slice: Slice): Promise<Ids> {
  const total = await countRecordings(store, selection.projectId)
  if (selection.conditions.length === 0) return await pageOfAll(store, selection, slice, total)
  const estimate = await estimateOf(store, selection, total)
  const collected = estimate <= triedMax ? await collectRecordings(store, selection, slice) : null
  if (collected) {
    const { count, ids } = collected
    return { count, isEstimate: false, hasNext: slice.offset + slice.limit < count, recordings: ids }
  }
  const rows = await walkRecordings(store, selection, { ...slice, limit: slice.limit + 1 })
  return pageOfMany(rows, slice, Math.max(estimate, countedMax))
}

/** Returns a page of all recordings, walking from the nearer end. */
async function pageOfAll(
  store: Store,
  selection: RecordingSelection,
  { limit, offset }: Slice,
  count: number,
): Promise<Ids> {
  const left = Math.max(count - offset, 0)
  const isNearEnd = offset > count / 2
  const rows = isNearEnd
    ? await walkRecordings(
        store,
        { ...selection, direction: selection.direction === 'ASC' ? 'DESC' : 'ASC' },
        { limit: Math.min(limit, left), offset: Math.max(left - limit, 0) },
      )
    : await walkRecordings(store, selection, { limit, offset })
  const ids = rows.map(({ id }) => id)
  const recordings = isNearEnd ? ids.toReversed() : ids
  return { count, isEstimate: false, hasNext: limit < left, recordings }
}

/** Estimates how many recordings are selected; returns `total` if it is at most `countedMax`. */
async function estimateOf(store: Store, selection: RecordingSelection, total: number): Promise<number> {
  if (total <= countedMax || selection.conditions.length === 0) return total
  return Math.round(total * (await selectedShare(store, selection)))
}

/** Builds a page whose count is estimated. `rows` are those of the page and, if there is one, the next row. */
function pageOfMany(rows: readonly { id: number }[], { limit, offset }: Slice, estimate: number): Ids {
  const hasNext = rows.length > limit
  const isEnd = !hasNext && (rows.length > 0 || offset === 0)
  return {
    count: isEnd ? offset + rows.length : Math.max(estimate, offset + rows.length),
    isEstimate: !isEnd,
    hasNext,
    recordings: rows.slice(0, limit).map(({ id }) => id),
  }
}

/** Recordings checked per step: `chunkFirst`, then the estimated need times `chunkMargin`, within the limits. */
const chunkFirst = 200
const chunkMin = 600
const chunkMax = 2000
const chunkMargin = 1.5

/** Returns a page when too many sessions match a condition to list their ids. */
async function pageThroughSessions(
  services: Engines,
  selection: RecordingSelection,
  sessionFilters: readonly SessionCondition[],
  slice: Slice,
  estimate: number,
): Promise<Ids> {
  const { store } = services
  const few = estimate <= countedMax ? await selectedSessions(store, selection) : null
  if (few) {
    const ids = await matchingAll(services, selection.projectId, sessionFilters, few)
    const conditions = [...selection.conditions, inSessions(ids)]
    return await pageOfRows(store, { ...selection, conditions }, slice)
  }
  const page = await walkSessions(services, selection, sessionFilters, slice, { estimate, countMin: 0 })
  if (!page) throw new Error('a walk through all recordings must return a page')
  return page
}

/** Checks recordings in order until the page is full; null once fewer than `countMin` of `estimate` seem to match. */
async function walkSessions(
  services: Engines,
  selection: RecordingSelection,
  sessionFilters: readonly SessionCondition[],
  { limit, offset }: Slice,
  { estimate, countMin }: { estimate: number; countMin: number },
): Promise<Ids | null> {
  const wanted = offset + limit + 1
  const found: { id: number }[] = []
  let walked = 0
  let count = 0
  while (found.length < wanted) {
    const needed = (chunkMargin * (wanted - found.length) * walked) / found.length
    const size = walked === 0 ? chunkFirst : Math.ceil(Math.min(Math.max(needed, chunkMin), chunkMax))
    const chunk = await walkRecordings(services.store, selection, { limit: size, offset: walked })
    const ids = new Set(await matchingAll(services, selection.projectId, sessionFilters, chunk))
    found.push(...chunk.filter((recording) => ids.has(recording.session_id)))
    walked += chunk.length
    count = Math.round((estimate * found.length) / Math.max(walked, 1))
    if (count < countMin) return null
    if (chunk.length < size) break
  }
  return pageOfMany(found.slice(offset, wanted), { limit, offset }, count)
}

export async function matchingAll(
  { warehouse }: Pick<Services, 'warehouse'>,
  projectId: number,
  sessionFilters: readonly SessionCondition[],
  recordings: readonly { session_id: string; start_time: Date }[],
): Promise<string[]> {
  const times = recordings.map((recording) => recording.start_time.getTime())
  const period = {
    from: times.reduce((a, b) => Math.min(a, b), Infinity),
    to: times.reduce((a, b) => Math.max(a, b), 0) + 1,
  }
  let ids = recordings.map((recording) => recording.session_id)
  for (const condition of sessionFilters) {
    if (ids.length === 0) break
    ids = await matchingSessions(warehouse, projectId, condition, ids, period)
  }
  return ids
}
