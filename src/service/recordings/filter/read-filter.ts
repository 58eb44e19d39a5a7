import { sql } from 'kysely'
import { readListAddress } from '../../../contract/list-address.ts'
import type { RecordingFilter, PropertyFilter } from '../../../contract/recordings/recording-filter.ts'
import type { Services } from '../../services.ts'
import { findRow } from '../../store/schema/rows.ts'
import { assertPatterns } from './filter-patterns.ts'
import { periodOf, rowConditions, anyOf, containing, idIn } from './filter-rows.ts'
import type { RowCondition } from '../../store/recordings/recordings-list.ts'
import { sessionConditions, allSessionsWith } from './filter-sessions.ts'
import type { SessionCondition } from './session-condition.ts'
import type { Period } from './sessions-of-period.ts'
import { visitorConditions } from './filter-visitors.ts'
import { readEntriesSince } from './entries-since.ts'
import { readUngatheredSince } from './gather-properties.ts'
import { z } from 'zod'
import { codesNamed } from '../../../contract/recordings/visitor-name.ts'
import { rowsOf, type Store } from '../../store/schema/database.ts'
import { unnamedVisitors } from '../../store/recordings/visitor-words.ts'

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
  const given = { id, project_id: projectId }
  const collection = within.includes(id)
    ? undefined
    : await findRow(services.store, 'recording_collections', given)
  const nothing = { ...own, conditions: [sql<boolean>`false`] }
  if (!collection) return nothing
  if (collection.query === null) {
    const items = sql`SELECT recording_id FROM recording_collection_items WHERE collection_id = ${id}`
    return { ...own, conditions: [...own.conditions, idIn(items)] }
  }
  // A rule was valid when it was stored; one that a later version rejects selects nothing.
  const rule = readListAddress(collection.query).data
  return rule ? both(own, await readFilter(services, projectId, rule, [...within, id])) : nothing
}

async function readOwn({ store, warehouse, clock }: Engines, projectId: number, query: RecordingFilter) {
  const now = clock.now()
  const period = periodOf(query, now)
  const conditions = rowConditions(query, now)
  const properties = [query, ...(query.events ?? []), ...(query.actions ?? [])].flatMap(
    (each) => each.properties ?? [],
  )
  const isOfEvents = properties.some(({ type }) => type === 'event')
  const until = isOfEvents ? await readUngatheredSince({ store, warehouse }) : null
  const sessionFilters = sessionConditions(query, until, await readEntriesSince(store))
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

/** Distinct ids of the mentioned persons, at most. */
const distinctIdsMax = 10_000

/**
 * Matches recordings of a person with one of these ids, e-mail addresses or names, or of an unnamed visitor with such two
 * words, sessions with one of these ids, and sessions that visited one of these URLs. Of a URL that more than 10,000
 * sessions visited, finds those that began there.
 */
async function mentionCondition(
  { store, warehouse }: Pick<Services, 'store' | 'warehouse'>,
  projectId: number,
  mentions: readonly string[],
): Promise<RowCondition> {
  const urls = mentions.filter((mention) => /^https?:/i.test(mention))
  const others = mentions.filter((mention) => !urls.includes(mention))
  // A text that gives several names, such as one word, mentions none of them.
  const codes = others.map(codesNamed).filter((given) => given.length === 1)
  const [distinctIds, unnamed, sessions] = await Promise.all([
    distinctIdsOf(store, projectId, others),
    unnamedVisitors(store, projectId, codes.flat(), distinctIdsMax),
    urls.length === 0 ? [] : sessionsAt({ store, warehouse }, projectId, urls),
  ])
  return anyOf([
    sql`recording.distinct_id = ANY (${[...others, ...distinctIds, ...unnamed]}::text[])`,
    sql`recording.session_id = ANY (${[...others, ...sessions]}::text[])`,
    ...urls.map((url) => sql<boolean>`recording.start_url ILIKE ${containing(url)}`),
  ])
}

/** Returns the distinct ids of persons that have one of these names, e-mail addresses, uuids or distinct ids. */
async function distinctIdsOf(store: Store, projectId: number, texts: readonly string[]) {
  if (texts.length === 0) return []
  const uuids = texts.filter((text) => z.guid().safeParse(text).success)
  const rows = await rowsOf<{ distinct_id: string }>(store)`
    SELECT own.distinct_id FROM person_distinct_ids own WHERE person_id IN (
      SELECT id FROM unnest(${texts}::text[]) AS text JOIN persons person ON lower(person_name(person.properties)) = lower(text)
      WHERE project_id = ${projectId}
      UNION ALL SELECT id FROM persons WHERE project_id = ${projectId} AND uuid = ANY (${uuids}::uuid[])
      UNION ALL SELECT person_id FROM person_distinct_ids WHERE project_id = ${projectId} AND distinct_id = ANY (${texts}::text[]))
    LIMIT ${distinctIdsMax}`
  return rows.map((row) => row.distinct_id)
}

async function sessionsAt(
  { store, warehouse }: Pick<Services, 'store' | 'warehouse'>,
  projectId: number,
  urls: readonly string[],
): Promise<string[]> {
  const visited: PropertyFilter = {
    type: 'event',
    key: '$current_url',
    operator: 'icontains',
    value: [...urls],
  }
  const conditions = sessionConditions(
    { properties: [visited] },
    await readUngatheredSince({ store, warehouse }),
  )
  const anyTime = { from: null, to: null }
  const sessions = await Promise.all(
    conditions.map((condition) => allSessionsWith(warehouse, projectId, condition, anyTime)),
  )
  return sessions.flatMap((found) => found ?? [])
}
