import { sql } from 'kysely'
import type { RecordingFilter } from '../../../contract/recordings/recording-filter.ts'
import { codesNamed } from '../../../contract/recordings/visitor-name.ts'
import { rowsOf, type Store } from '../../store/schema/database.ts'
import { isUnnamed, unnamedVisitors } from '../../store/recordings/visitor-words.ts'
import { readComparison } from './filter-comparison.ts'
import { isOneOf, type RowCondition } from '../../store/recordings/recordings-list.ts'
import { anyOf, containing, idIn, personCondition } from './filter-rows.ts'

/** Persons and distinct ids looked up before the query. With more, enough recordings match for a subquery to fill a page quickly. */
const idsLookedUpMax = 3000
/** The condition of no visitor. */
const ofNobody: RowCondition = sql<boolean>`false`
/** Largest number of notes that a search finds. */
const notedMax = 5000
/** Notes looked up before the query, so that it finds the places of their recordings. With more, it selects their ids. */
const notesLookedUpMax = 100

/** Returns the list's conditions on the recorded visitors. @throws ApiError 400 on `properties`. */
export async function visitorConditions(store: Store, projectId: number, query: RecordingFilter) {
  const { distinct_ids, person_uuid, search, properties = [] } = query
  const project = { store, projectId }
  const conditions: Promise<RowCondition>[] = []
  if (distinct_ids) conditions.push(byDistinctIds(project, distinct_ids))
  if (person_uuid) conditions.push(byPerson(project, sql`person.uuid = ${person_uuid}`))
  if (search) conditions.push(bySearch(project, search))
  for (const filter of properties) {
    if (filter.type !== 'person') continue
    const comparison = readComparison(filter, 'properties')
    const positive = byPerson(project, personCondition(filter, comparison))
    const negative = () => positive.then((condition) => sql<boolean>`(${condition}) IS NOT TRUE`)
    conditions.push(comparison.negated ? negative() : positive)
  }
  return await Promise.all(conditions)
}

type ProjectStore = { store: Store; projectId: number }

/** Matches these distinct ids and all others of the same persons. */
async function byDistinctIds(project: ProjectStore, distinctIds: readonly string[]): Promise<RowCondition> {
  const { store, projectId } = project
  const rows = await rowsOf<{ distinct_id: string }>(store)`
    SELECT other.distinct_id FROM person_distinct_ids given JOIN person_distinct_ids other USING (person_id)
    WHERE given.project_id = ${projectId} AND given.distinct_id = ANY (${distinctIds}::text[])`
  return isOneOf('distinct_id', [...distinctIds, ...rows.map((row) => row.distinct_id)])
}

/** Matches text in the start URL, the distinct id, the person's name or a note, and the two words of an unnamed visitor. */
async function bySearch(project: ProjectStore, text: string): Promise<RowCondition> {
  const pattern = containing(text)
  const [named, called, noted] = await Promise.all([
    byPerson(project, sql`person_name(person.properties) ILIKE ${pattern}`),
    byWords(project, codesNamed(text)),
    byNotes(project, pattern),
  ])
  const written = sql<boolean>`(recording.start_url ILIKE ${pattern} OR recording.distinct_id ILIKE ${pattern})`
  const all: RowCondition[] = [written, named, noted, called]
  const found = all.filter((condition) => condition !== ofNobody)
  return Object.assign(anyOf(found), { parts: found.map((condition) => condition.lookup ?? condition) })
}

/** Matches recordings of unnamed visitors whose two words have one of these codes. */
async function byWords({ store, projectId }: ProjectStore, codes: readonly number[]): Promise<RowCondition> {
  const ids = await unnamedVisitors(store, projectId, codes, idsLookedUpMax + 1)
  if (ids.length === 0) return ofNobody
  if (ids.length <= idsLookedUpMax) return isOneOf('distinct_id', ids)
  return sql`(recording.visitor_words = ANY (${codes}::smallint[]) AND ${isUnnamed})`
}

/** Matches recordings with a note that matches the pattern: of more than `notedMax` notes, those with the newest. */
async function byNotes({ store, projectId }: ProjectStore, pattern: string): Promise<RowCondition> {
  const notes = sql`FROM recording_notes WHERE project_id = ${projectId} AND text ILIKE ${pattern}`
  const [found] = await rowsOf<{ ids: number[] }>(store)`
    SELECT to_json(ARRAY(SELECT recording_id ${notes} LIMIT ${notesLookedUpMax + 1})) AS ids`
  const ids = found?.ids ?? []
  if (ids.length === 0) return ofNobody
  if (ids.length <= notesLookedUpMax) return sql`recording.id = ANY (${ids}::bigint[])`
  return idIn(sql`SELECT DISTINCT recording_id FROM (
    SELECT recording_id ${notes} ORDER BY created_at DESC LIMIT ${notedMax}) AS note`)
}

async function byPerson({ store, projectId }: ProjectStore, condition: RowCondition): Promise<RowCondition> {
  const limit = idsLookedUpMax + 1
  // As arrays, because the planner expects many persons and would read all their ids. JSON is parsed in a tenth of the time.
  const [found] = await rowsOf<{ persons: number; ids: string[] }>(store)`
    WITH matching AS MATERIALIZED (
      SELECT id FROM persons person WHERE project_id = ${projectId} AND ${condition} LIMIT ${limit})
    SELECT (SELECT count(*) FROM matching) AS persons, to_json(ARRAY(SELECT distinct_id FROM person_distinct_ids
      WHERE (SELECT count(*) FROM matching) <= ${idsLookedUpMax} AND person_id = ANY (ARRAY(SELECT id FROM matching)) LIMIT ${limit})) AS ids`
  const { persons = 0, ids = [] } = found ?? {}
  if (persons === 0) return ofNobody
  if (persons <= idsLookedUpMax && ids.length <= idsLookedUpMax) return isOneOf('distinct_id', ids)
  // OFFSET keeps the planner from joining all persons with all recordings first.
  return sql`EXISTS (SELECT FROM person_distinct_ids own JOIN persons person ON person.id = own.person_id
    WHERE own.project_id = recording.project_id AND own.distinct_id = recording.distinct_id AND ${condition} OFFSET 0)`
}
