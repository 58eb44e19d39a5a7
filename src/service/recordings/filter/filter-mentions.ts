import { sql } from 'kysely'
import { z } from 'zod'
import type { PropertyFilter } from '../../../contract/recordings/recording-filter.ts'
import { codesNamed } from '../../../contract/recordings/visitor-name.ts'
import type { Services } from '../../services.ts'
import { rowsOf, type Store } from '../../store/schema/database.ts'
import { unnamedVisitors } from '../../store/recordings/visitor-words.ts'
import { anyOf, containing, type RowCondition } from './filter-rows.ts'
import { allSessionsWith, sessionConditions } from './filter-sessions.ts'
import { readGatheredUntil } from './gather-properties.ts'

/** Distinct ids of the mentioned persons, at most. */
const distinctIdsMax = 10_000

/**
 * Matches recordings of a person with one of these ids, e-mail addresses or names, or of an unnamed visitor with such two
 * words, sessions with one of these ids, and sessions that visited one of these URLs. Of a URL that more than 10,000
 * sessions visited, finds those that began there.
 */
export async function mentionCondition(
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
  const names = texts.map((text) => containing(text).slice(1, -1))
  const rows = await rowsOf<{ distinct_id: string }>(store)`
    SELECT own.distinct_id FROM person_distinct_ids own WHERE person_id IN (
      SELECT id FROM persons person WHERE project_id = ${projectId} AND person_name(person.properties) ILIKE ANY (${names}::text[])
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
  const conditions = sessionConditions({ properties: [visited] }, await readGatheredUntil(store))
  const anyTime = { from: null, to: null }
  const sessions = await Promise.all(
    conditions.map((condition) => allSessionsWith(warehouse, projectId, condition, anyTime)),
  )
  return sessions.flatMap((found) => found ?? [])
}
