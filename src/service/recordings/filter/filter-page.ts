import { sql } from 'kysely'
import type { RecordingListQuery } from '../../../contract/recording-filter.ts'
import type { Services } from '../../services.ts'
import {
  collectRecordings,
  countedMax,
  countRecordings,
  recordingsById,
  selectedSessions,
  selectedShare,
  walkRecordings,
  type RecordingSelection,
  type Slice,
} from '../../store/recordings-list.ts'
import type { Store } from '../../store/database.ts'
import type { RecordingRow } from '../../store/session-recordings.ts'
import { assertPatterns } from './filter-patterns.ts'
import { periodOf, rowConditions, type RowCondition } from './filter-rows.ts'
import {
  allSessionsWith,
  fulfilling,
  sessionConditions,
  type Period,
  type SessionCondition,
} from './filter-sessions.ts'
import { gatheredUntil } from './gather-properties.ts'
import { visitorConditions } from './filter-visitors.ts'

export type FilteredPage<Recording> = {
  count: number
  isEstimate: boolean
  hasNext: boolean
  recordings: Recording[]
}

type Ids = FilteredPage<number>

/**
 * A page of the recordings that a filter selects; more than `countedMax` are counted by a sample.
 * @throws ApiError 400 naming the parameter.
 */
export async function pageOfRecordings(
  services: Pick<Services, 'store' | 'warehouse' | 'clock'>,
  projectId: number,
  query: RecordingListQuery,
): Promise<FilteredPage<RecordingRow>> {
  const { store, warehouse } = services
  const now = services.clock.now()
  const period = periodOf(query.date_from, query.date_to, now)
  const conditions = rowConditions(query, now)
  const asked = sessionConditions(query, await gatheredUntil(store))
  await assertPatterns(warehouse, query)
  const selection: RecordingSelection = {
    projectId,
    conditions: [...conditions, ...(await visitorConditions(store, projectId, query))],
    order: query.order,
    direction: query.order_direction,
  }
  const page =
    asked.length === 0
      ? await pageOfRows(store, selection, query)
      : await pageOfSessions(services, selection, { asked, period }, query)
  return { ...page, recordings: await recordingsById(store, page.recordings) }
}

type Engines = Pick<Services, 'store' | 'warehouse'>
type Asked = { asked: readonly SessionCondition[]; period: Period }

/**
 * The page where something is asked of the sessions. Mostly the first recordings in order fill it. Where they do not, what
 * few sessions fulfil becomes a list of them, and the rest is asked on the way through the others.
 */
async function pageOfSessions(
  services: Engines,
  selection: RecordingSelection,
  { asked, period }: Asked,
  slice: Slice,
): Promise<Ids> {
  const { store, warehouse } = services
  const total = await countRecordings(store, selection.projectId)
  const estimate = await estimateOf(store, selection, total)
  if (estimate > countedMax) {
    const page = await walkSessions(services, selection, asked, slice, { estimate, least: countedMax })
    if (page) return page
  }
  const sessions = await Promise.all(
    asked.map((condition) => allSessionsWith(warehouse, selection.projectId, condition, period)),
  )
  const named = asked.flatMap(({ negated }, index) => {
    const ids = sessions[index]
    return ids ? [ofSessions(ids, negated)] : []
  })
  const unnamed = asked.filter((_, index) => !sessions[index])
  const narrowed = { ...selection, conditions: [...selection.conditions, ...named] }
  if (unnamed.length === 0) return await pageOfRows(store, narrowed, slice)
  const left = named.length === 0 ? estimate : await estimateOf(store, narrowed, total)
  return await pageThroughSessions(services, narrowed, unnamed, slice, left)
}

function ofSessions(ids: readonly string[], negated = false): RowCondition {
  return negated
    ? sql`recording.session_id <> ALL (${ids}::text[])`
    : sql`recording.session_id = ANY (${ids}::text[])`
}

async function pageOfRows(store: Store, selection: RecordingSelection, slice: Slice): Promise<Ids> {
  const total = await countRecordings(store, selection.projectId)
  if (selection.conditions.length === 0) return await pageOfAll(store, selection, slice, total)
  const estimate = await estimateOf(store, selection, total)
  const collected = estimate <= countedMax ? await collectRecordings(store, selection, slice) : null
  if (collected) {
    const { count, ids } = collected
    return { count, isEstimate: false, hasNext: slice.offset + slice.limit < count, recordings: ids }
  }
  const rows = await walkRecordings(store, selection, { ...slice, limit: slice.limit + 1 })
  return pageOfMany(rows, slice, Math.max(estimate, countedMax))
}

/** Those past the middle are nearer from the other end. */
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

/** How many recordings are selected, roughly; never too few to be collected when they are no more than that. */
async function estimateOf(store: Store, selection: RecordingSelection, total: number): Promise<number> {
  if (total <= countedMax || selection.conditions.length === 0) return total
  return Math.round(total * (await selectedShare(store, selection)))
}

/** `rows`: those of the page and, where there is one, the next. */
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

/** So many recordings are asked about at first and at once; between them, half as many again as seem to be needed. */
const leastChunk = 600
const largestChunk = 2000
const margin = 1.5

/** The page where too many sessions fulfil a condition to name them. */
async function pageThroughSessions(
  services: Engines,
  selection: RecordingSelection,
  asked: readonly SessionCondition[],
  slice: Slice,
  estimate: number,
): Promise<Ids> {
  const { store } = services
  const few = estimate <= countedMax ? await selectedSessions(store, selection) : null
  if (few) {
    const ids = await fulfillingAll(services, selection.projectId, asked, few)
    const conditions = [...selection.conditions, ofSessions(ids)]
    return await pageOfRows(store, { ...selection, conditions }, slice)
  }
  const page = await walkSessions(services, selection, asked, slice, { estimate, least: 0 })
  if (!page) throw new Error('a walk through all recordings has an end')
  return page
}

/** Asks about recordings in order until the page is full; null when it seems that less than `least` of `estimate` fulfil it all. */
async function walkSessions(
  services: Engines,
  selection: RecordingSelection,
  asked: readonly SessionCondition[],
  { limit, offset }: Slice,
  { estimate, least }: { estimate: number; least: number },
): Promise<Ids | null> {
  const wanted = offset + limit + 1
  const found: { id: number }[] = []
  let walked = 0
  let count = 0
  while (found.length < wanted) {
    const needed = (margin * (wanted - found.length) * walked) / found.length
    const size = walked === 0 ? leastChunk : Math.ceil(Math.min(Math.max(needed, leastChunk), largestChunk))
    const chunk = await walkRecordings(services.store, selection, { limit: size, offset: walked })
    const ids = new Set(await fulfillingAll(services, selection.projectId, asked, chunk))
    found.push(...chunk.filter((recording) => ids.has(recording.session_id)))
    walked += chunk.length
    count = Math.round((estimate * found.length) / Math.max(walked, 1))
    if (count < least) return null
    if (chunk.length < size) break
  }
  return pageOfMany(found.slice(offset, wanted), { limit, offset }, count)
}

async function fulfillingAll(
  { warehouse }: Pick<Services, 'warehouse'>,
  projectId: number,
  asked: readonly SessionCondition[],
  recordings: readonly { session_id: string; start_time: Date }[],
): Promise<string[]> {
  const times = recordings.map((recording) => recording.start_time.getTime())
  const period = {
    from: times.reduce((a, b) => Math.min(a, b), Infinity),
    to: times.reduce((a, b) => Math.max(a, b), 0) + 1,
  }
  let ids = recordings.map((recording) => recording.session_id)
  for (const condition of asked) {
    if (ids.length === 0) break
    ids = await fulfilling(warehouse, projectId, condition, ids, period)
  }
  return ids
}
