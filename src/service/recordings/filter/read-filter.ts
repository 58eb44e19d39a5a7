import { sql } from 'kysely'
import { readListAddress } from '../../../contract/list-address.ts'
import type { RecordingFilter } from '../../../contract/recordings/recording-filter.ts'
import type { Services } from '../../services.ts'
import { findRule } from '../../store/recordings/recording-collections.ts'
import { mentionCondition } from './filter-mentions.ts'
import { assertPatterns } from './filter-patterns.ts'
import { periodOf, rowConditions, type RowCondition } from './filter-rows.ts'
import { sessionConditions, type Period, type SessionCondition } from './filter-sessions.ts'
import { visitorConditions } from './filter-visitors.ts'
import { readGatheredUntil } from './gather-properties.ts'

/** Conditions on the recordings of sessions that start within a period. */
export type SessionQuery = { sessionFilters: readonly SessionCondition[]; period: Period }
type Conditions = SessionQuery & { conditions: readonly RowCondition[] }
type Engines = Pick<Services, 'store' | 'warehouse' | 'clock'>

/**
 * Returns a filter's conditions on rows, and those on sessions. `within`: the collections whose rules led to this filter.
 * @throws ApiError 400 naming the parameter.
 */
export async function readFilter(
  services: Engines,
  projectId: number,
  query: RecordingFilter,
  within: readonly string[] = [],
): Promise<Conditions> {
  const own = await readOwn(services, projectId, query)
  const { collection: id } = query
  if (id === undefined) return own
  // A rule that leads back to its own collection selects nothing.
  const collection = within.includes(id) ? undefined : await findRule(services.store, projectId, id)
  const nothing = { ...own, conditions: [sql<boolean>`false`] }
  if (!collection) return nothing
  if (collection.query === null) {
    const items = sql`SELECT recording_id FROM recording_collection_items WHERE collection_id = ${id}`
    return { ...own, conditions: [...own.conditions, sql`recording.id IN (${items})`] }
  }
  // A rule was valid when it was stored; one that a later version rejects selects nothing.
  const rule = readListAddress(collection.query).data
  return rule ? both(own, await readFilter(services, projectId, rule, [...within, id])) : nothing
}

async function readOwn(
  { store, warehouse, clock }: Engines,
  projectId: number,
  query: RecordingFilter,
): Promise<Conditions> {
  const now = clock.now()
  const period = periodOf(query, now)
  const conditions = rowConditions(query, now)
  const sessionFilters = sessionConditions(query, await readGatheredUntil(store))
  await assertPatterns(warehouse, query)
  return {
    period,
    sessionFilters,
    conditions: [
      ...conditions,
      ...(await visitorConditions(store, projectId, query)),
      ...(query.mentions ? [await mentionCondition({ store, warehouse }, projectId, query.mentions)] : []),
    ],
  }
}

function both(a: Conditions, b: Conditions): Conditions {
  const narrowest = (narrower: (...limits: number[]) => number, ...limits: (number | null)[]) => {
    const given = limits.filter((limit) => limit !== null)
    return given.length === 0 ? null : narrower(...given)
  }
  return {
    conditions: [...a.conditions, ...b.conditions],
    sessionFilters: [...a.sessionFilters, ...b.sessionFilters],
    period: {
      from: narrowest(Math.max, a.period.from, b.period.from),
      to: narrowest(Math.min, a.period.to, b.period.to),
    },
  }
}
