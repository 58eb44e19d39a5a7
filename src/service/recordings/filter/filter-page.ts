import type { RecordingFilter, RecordingListQuery } from '../../../contract/recordings/recording-filter.ts'
import type { Services } from '../../services.ts'
import {
  collectRecordings,
  countedMax,
  countRecordings,
  recordingsAfter,
  selectedSessions,
  walkIds,
  type RecordingSelection,
  type RowCondition,
  type Slice,
} from '../../store/recordings/recordings-list.ts'
import { idsFromHour } from '../../store/recordings/recording-hours.ts'
import type { Store } from '../../store/schema/database.ts'
import { searchesAllEvents, wasShort } from './filter-sessions.ts'
import type { SessionCondition } from './session-condition.ts'
import { inSessions, listSessions } from './list-sessions.ts'
import { readFilter, type SessionQuery } from './read-filter.ts'
import { rememberedShare } from './remembered-shares.ts'
import { matchingAll, walkSessions } from './walk-sessions.ts'

export type FilteredPage = {
  count: number
  isEstimate: boolean
  hasNext: boolean
  /** Ids of the page's recordings, in order. */
  ids: number[]
}

type Engines = Pick<Services, 'store' | 'warehouse'>

/**
 * Returns a page of the recordings that a filter selects; counts above `countedMax` are estimated from a sample.
 * @throws ApiError 400 naming the parameter.
 */
export async function pageOfRecordings(
  services: Pick<Services, 'store' | 'warehouse' | 'clock'>,
  projectId: number,
  query: RecordingListQuery,
): Promise<FilteredPage> {
  const { store } = services
  const counted = countRecordings(store, projectId)
  // Needed last, so awaited last. Until then, a failure must not count as an unhandled rejection.
  counted.catch(() => undefined)
  const { conditions, ...sessions } = await readFilter(services, projectId, query)
  const selection = { projectId, conditions, order: query.order, direction: query.order_direction }
  return sessions.sessionFilters.length === 0
    ? await pageOfRows(store, selection, query, { total: await counted })
    : await pageOfSessions(services, selection, sessions, query, counted)
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

/**
 * Returns a page when filters apply to sessions. Filters that few sessions match become lists of ids, so that the count is
 * exact. Meanwhile, unless the lists were short before, the filters are checked while walking through the recordings, of which
 * the first usually fill the page.
 */
async function pageOfSessions(
  services: Engines,
  selection: RecordingSelection,
  { sessionFilters, period }: SessionQuery,
  slice: Slice,
  counted: Promise<number>,
): Promise<FilteredPage> {
  const { store, warehouse } = services
  const { projectId } = selection
  const walk = sessionFilters.every((condition) => wasShort(warehouse, projectId, condition, period))
    ? Promise.resolve(null)
    : counted.then((total) => walkMany(services, selection, sessionFilters, slice, total))
  const filledFirst = sessionFilters.some(searchesAllEvents) ? await walk : null
  if (filledFirst) return filledFirst
  const [page, { listed, unlisted, most }, total] = await Promise.all([
    walk,
    listSessions(services, projectId, { sessionFilters, period }),
    counted,
  ])
  const narrowed = { ...selection, conditions: [...selection.conditions, ...listed] }
  if (unlisted.length === 0) return await pageOfRows(store, narrowed, slice, { total, most })
  if (page && listed.length === 0) return page
  return await pageThroughSessions(services, narrowed, unlisted, slice, total)
}

/** Walks through the selected recordings; null if they are few, or if few of them seem to match. */
async function walkMany(
  services: Engines,
  selection: RecordingSelection,
  sessionFilters: readonly SessionCondition[],
  slice: Slice,
  total: number,
): Promise<FilteredPage | null> {
  const estimate = await estimateOf(services.store, selection, total)
  if (estimate <= countedMax) return null
  const walk = await walkSessions(services, selection, sessionFilters, slice, {
    estimate,
    countMin: countedMax,
  })
  return walk && pageOfMany(walk.ids, slice, walk.count)
}

/** Estimate up to which recordings are counted on trial, because a sample of few is inaccurate. */
const triedMax = 1.5 * countedMax

/** Returns a page of recordings. The project has `total`, of which at most `most` are selected. */
async function pageOfRows(
  store: Store,
  selection: RecordingSelection,
  slice: Slice,
  { total, most = total }: { total: number; most?: number },
): Promise<FilteredPage> {
  if (selection.conditions.length === 0) return await pageOfAll(store, selection, slice, total)
  const isFew = most <= countedMax || selection.conditions.every((condition) => condition.isRare)
  let collected = isFew ? await collectRecordings(store, selection, slice, total) : null
  const estimate = collected ? collected.count : await estimateOf(store, selection, total)
  if (!isFew && estimate <= triedMax) collected = await collectRecordings(store, selection, slice, total)
  if (collected) {
    const { count, ids } = collected
    return { count, isEstimate: false, hasNext: slice.offset + slice.limit < count, ids }
  }
  const ids = await walkIds(store, selection, { ...slice, limit: slice.limit + 1 })
  return pageOfMany(ids, slice, Math.max(estimate, countedMax))
}

/** Returns a page of all recordings, walking from the nearer end. */
async function pageOfAll(
  store: Store,
  selection: RecordingSelection,
  { limit, offset }: Slice,
  count: number,
): Promise<FilteredPage> {
  const left = Math.max(count - offset, 0)
  const isNearEnd = offset > count / 2
  const ids = isNearEnd
    ? await idsOfAll(
        store,
        { ...selection, direction: selection.direction === 'ASC' ? 'DESC' : 'ASC' },
        { limit: Math.min(limit, left), offset: Math.max(left - limit, 0) },
      )
    : await idsOfAll(store, selection, { limit, offset })
  return { count, isEstimate: false, hasNext: limit < left, ids: isNearEnd ? ids.toReversed() : ids }
}

/** Offset above which reading the counts of all hours is faster than skipping rows. */
const walkedOffsetMax = 5000

/** Returns the ids of a slice of all recordings; one far down a list sorted by time is read from a counted hour on. */
function idsOfAll(store: Store, selection: RecordingSelection, slice: Slice): Promise<number[]> {
  const isFarDown = selection.order === 'start_time' && slice.offset > walkedOffsetMax
  return isFarDown ? idsFromHour(store, selection, slice) : walkIds(store, selection, slice)
}

/** Estimates how many recordings are selected; returns `total` if it is at most `countedMax`. */
async function estimateOf(store: Store, selection: RecordingSelection, total: number): Promise<number> {
  if (total <= countedMax || selection.conditions.length === 0) return total
  return Math.round(total * (await rememberedShare(store, selection, total)))
}

/** Builds a page whose count is estimated. `ids` are those of the page and, if there is one, the next id. */
function pageOfMany(ids: readonly number[], { limit, offset }: Slice, estimate: number): FilteredPage {
  const hasNext = ids.length > limit
  const isEnd = !hasNext && (ids.length > 0 || offset === 0)
  return {
    count: isEnd ? offset + ids.length : Math.max(estimate, offset + ids.length),
    isEstimate: !isEnd,
    hasNext,
    ids: ids.slice(0, limit),
  }
}

/** Returns a page when too many sessions match a condition to list their ids. */
async function pageThroughSessions(
  services: Engines,
  selection: RecordingSelection,
  sessionFilters: readonly SessionCondition[],
  slice: Slice,
  total: number,
): Promise<FilteredPage> {
  const { store } = services
  const estimate = await estimateOf(store, selection, total)
  const few = estimate <= countedMax ? await selectedSessions(store, selection) : null
  if (few) {
    const ids = await matchingAll(services, selection.projectId, sessionFilters, few)
    const conditions = [...selection.conditions, inSessions(ids)]
    return await pageOfRows(store, { ...selection, conditions }, slice, { total, most: ids.length })
  }
  const walk = await walkSessions(services, selection, sessionFilters, slice, { estimate, countMin: 0 })
  if (!walk) throw new Error('a walk through all recordings must return a page')
  return pageOfMany(walk.ids, slice, walk.count)
}
