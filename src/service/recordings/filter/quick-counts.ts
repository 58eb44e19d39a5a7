import { sql } from 'kysely'
import {
  quickFilterNames,
  quickFilters,
  type QuickCounts,
  type QuickFilterName,
} from '../../../contract/recordings/quick-filter.ts'
import type { RecordingFilter } from '../../../contract/recordings/recording-filter.ts'
import type { Services } from '../../services.ts'
import {
  countedMax,
  countRecordings,
  countSelected,
  sampleRecordings,
  type RowCondition,
  type Selected,
} from '../../store/recordings/recordings-list.ts'
import { conditionsOf } from './filter-page.ts'
import { matchingAll } from './walk-sessions.ts'
import { listSessions } from './list-sessions.ts'
import { dateConditions, recordingCondition } from './filter-rows.ts'
import { readFilter } from './read-filter.ts'

type Engines = Pick<Services, 'store' | 'warehouse' | 'clock'>
type Counts = QuickCounts[QuickFilterName]

/**
 * Counts the recordings that match a filter and each quick filter. A quick filter with dates replaces those of the filter.
 * @throws ApiError 400 naming the parameter.
 */
export async function countQuickFilters(services: Engines, projectId: number, filter: RecordingFilter) {
  const { store, clock } = services
  const { date_from, date_to, ...rest } = filter
  const now = clock.now()
  const dates = { date_from, date_to, timezone: filter.timezone }
  const conditions = quickFilterNames.map((name) => quickConditions(name, dates, now))
  const total = await countRecordings(store, projectId)
  const counts =
    total <= countedMax
      ? await countAll(services, projectId, rest, conditions)
      : await countMany(services, projectId, rest, conditions, total)
  return Object.fromEntries(quickFilterNames.map((name, index) => [name, counts[index]])) as QuickCounts
}

function quickConditions(
  name: QuickFilterName,
  dates: Pick<RecordingFilter, 'date_from' | 'date_to' | 'timezone'>,
  now: number,
): RowCondition {
  const quick = quickFilters[name]
  const conditions =
    'dates' in quick
      ? dateConditions({ ...dates, ...quick.dates }, now)
      : [...dateConditions(dates, now), recordingCondition(quick.property, now)]
  return sql`(${sql.join(conditions, sql` AND `)})`
}

/** Counts the recordings of a small project in one statement. */
async function countAll(
  services: Engines,
  projectId: number,
  filter: RecordingFilter,
  quick: readonly RowCondition[],
): Promise<Counts[]> {
  const conditions = await conditionsOf(services, projectId, filter, countedMax)
  const counts = await countSelected(services.store, { projectId, conditions }, quick)
  return counts.map((count) => ({ count, count_is_estimate: false }))
}

/** Estimates the counts from one sample, and counts the small ones. */
async function countMany(
  services: Engines,
  projectId: number,
  filter: RecordingFilter,
  quick: readonly RowCondition[],
  total: number,
): Promise<Counts[]> {
  const { conditions, ...sessions } = await readFilter(services, projectId, filter)
  const { listed, unlisted } = await listSessions(services, projectId, sessions)
  const selection = { projectId, conditions: [...conditions, ...listed] }
  const sample = await sampleRecordings(services.store, selection, quick)
  const matching = new Set(await matchingAll(services, projectId, unlisted, sample.rows))
  return await Promise.all(
    quick.map(async (condition, index) => {
      const found = sample.rows.filter(({ session_id, flags }) => flags[index] && matching.has(session_id))
      const estimate = Math.round((total * found.length) / Math.max(sample.size, 1))
      if (estimate > countedMax || unlisted.length > 0) return { count: estimate, count_is_estimate: true }
      return await countUpTo(services, selection, condition)
    }),
  )
}

async function countUpTo({ store }: Engines, { projectId, conditions }: Selected, condition: RowCondition) {
  const selection = { projectId, conditions: [...conditions, condition] }
  const [count = 0] = await countSelected(store, selection, [sql`true`], countedMax + 1)
  return { count: Math.min(count, countedMax), count_is_estimate: count > countedMax }
}
