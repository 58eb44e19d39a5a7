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
  if (!collection) return both(own, { conditions: [sql`false`] })
  if (collection.query === null)
    return both(own, {
      conditions: [
        sql`recording.id IN (SELECT recording_id FROM recording_collection_items WHERE collection_id = ${id})`,
      ],
    })
  // A rule was valid when it was stored; one that a later version rejects selects nothing.
  const rule = readListAddress(collection.query).data
  if (!rule) return both(own, { conditions: [sql`false`] })
  return both(own, await readFilter(services, projectId, rule, [...within, id]))
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

function both(a: Conditions, b: Partial<Conditions>): Conditions {
  return {
    conditions: [...a.conditions, ...(b.conditions ?? [])],
    sessionFilters: [...a.sessionFilters, ...(b.sessionFilters ?? [])],
    period: {
      from: bound(Math.max, a.period.from, b.period?.from ?? null),
      to: bound(Math.min, a.period.to, b.period?.to ?? null),
    },
  }
}

/** Returns the narrower of two limits; null means no limit. */
function bound(narrower: (a: number, b: number) => number, a: number | null, b: number | null) {
  if (a === null || b === null) return a ?? b
  return narrower(a, b)
}
