import { sql } from 'kysely'
import { rowsOf, type StoreTransaction } from '../../store/schema/database.ts'
import type { PersonDistinctIdRow, PersonRow } from '../../store/recordings/recording-persons.ts'
import type { PersonStateRow } from '../../warehouse/tables.ts'
import { survivor, unchanged, PersonLedger, type Person } from './person-ledger.ts'

type DistinctIdVersion = Pick<PersonDistinctIdRow, 'person_id' | 'distinct_id' | 'version'>
type Key = { projectId: number; distinctId: string }

const personLock = 4283

/** Lets one transaction at a time change a project's persons. Acquires locks in a fixed order to avoid deadlock. */
export async function lockPersons(transaction: StoreTransaction, projectIds: readonly number[]) {
  if (projectIds.length === 0) return
  await sql`SELECT pg_advisory_xact_lock(${personLock}::int, id) FROM
    (SELECT DISTINCT id FROM unnest(${projectIds}::int[]) AS given(id) ORDER BY id) AS ordered
  `.execute(transaction)
}

/** Loads the persons of these distinct ids into a ledger; `keys` may repeat an id. */
export async function loadPersons(transaction: StoreTransaction, keys: readonly Key[]) {
  const ledger = new PersonLedger()
  const persons = new Map<number, Person>()
  const found = await rowsOf<PersonRow & { distinct_id: string; id_count: number }>(transaction)`
    SELECT d.distinct_id, p.*, (SELECT count(*) FROM person_distinct_ids o WHERE o.person_id = p.id) AS id_count
    FROM (SELECT DISTINCT * FROM unnest(${keys.map((key) => key.projectId)}::int[],
      ${keys.map((key) => key.distinctId)}::text[]) AS given(project_id, distinct_id)) AS k
    JOIN person_distinct_ids d USING (project_id, distinct_id)
    JOIN persons p ON p.id = d.person_id`
  for (const row of found) {
    const person = persons.get(row.id) ?? {
      rowId: row.id,
      projectId: row.project_id,
      uuid: row.uuid,
      properties: row.properties,
      text: JSON.stringify(row.properties),
      version: row.version,
      createdAt: row.created_at.getTime(),
      idCount: row.id_count,
      ...unchanged,
    }
    persons.set(row.id, person)
    ledger.add(row.distinct_id, person)
  }
  return ledger
}

/** Stores the ledger's changes and returns the changed rows for the warehouse. */
export async function savePersons(transaction: StoreTransaction, ledger: PersonLedger) {
  const touched = [...ledger.persons].filter((person) => person.isTouched)
  if (touched.length === 0) return []
  const remaining = touched.filter((person) => person.mergedInto === null)
  const created = remaining.filter((person) => person.rowId === null)
  await insertPersons(transaction, created)
  const changed = remaining.filter((person) => person.isChanged)
  await updatePersons(transaction, changed)
  await insertDistinctIds(transaction, ledger)
  const lost = touched.filter((person) => person.mergedInto !== null && person.rowId !== null)
  const deleted = await deletePersons(transaction, lost)
  return [...deleted, ...(await currentRows(transaction, remaining))]
}

async function insertPersons(transaction: StoreTransaction, persons: readonly Person[]): Promise<void> {
  if (persons.length === 0) return
  const inserted = await rowsOf<Pick<PersonRow, 'id' | 'project_id' | 'uuid'>>(transaction)`
    INSERT INTO persons (project_id, uuid, properties, version, created_at)
    SELECT * FROM unnest(${persons.map((person) => person.projectId)}::int[],
      ${persons.map((person) => person.uuid)}::uuid[], ${persons.map((person) => person.text)}::jsonb[],
      ${persons.map((person) => person.version)}::bigint[],
      ${persons.map((person) => new Date(person.createdAt))}::timestamptz[])
    RETURNING id, project_id, uuid`
  const rowIds = new Map(inserted.map((row) => [`${row.project_id}:${row.uuid}`, row.id]))
  for (const person of persons) {
    person.rowId = rowIds.get(`${person.projectId}:${person.uuid}`) ?? null
    if (person.rowId === null) throw new Error(`person ${person.uuid} was not inserted`)
  }
}

async function updatePersons(transaction: StoreTransaction, persons: readonly Person[]): Promise<void> {
  if (persons.length === 0) return
  await sql`
    UPDATE persons SET properties = c.properties, version = c.version, created_at = c.created_at
    FROM unnest(${persons.map((person) => person.rowId)}::bigint[], ${persons.map((person) => person.text)}::jsonb[],
      ${persons.map((person) => person.version)}::bigint[],
      ${persons.map((person) => new Date(person.createdAt))}::timestamptz[]) AS c(id, properties, version, created_at)
    WHERE persons.id = c.id`.execute(transaction)
}

async function insertDistinctIds(transaction: StoreTransaction, { newIds }: PersonLedger): Promise<void> {
  if (newIds.length === 0) return
  await sql`
    INSERT INTO person_distinct_ids (project_id, distinct_id, person_id, version)
    SELECT *, 0 FROM unnest(${newIds.map((id) => id.projectId)}::int[], ${newIds.map((id) => id.distinctId)}::text[],
      ${newIds.map((id) => survivor(id.person).rowId)}::bigint[])`.execute(transaction)
}

/** Deletes merged persons after moving their distinct ids to the remaining person. */
async function deletePersons(transaction: StoreTransaction, lost: readonly Person[]) {
  if (lost.length === 0) return []
  const moved = await rowsOf<DistinctIdVersion>(transaction)`
    UPDATE person_distinct_ids d SET person_id = m.kept, version = d.version + 1
    FROM unnest(${lost.map((person) => person.rowId)}::bigint[],
      ${lost.map((person) => survivor(person).rowId)}::bigint[]) AS m(lost, kept)
    WHERE d.person_id = m.lost
    RETURNING m.lost AS person_id, d.distinct_id, d.version`
  const ids = lost.map((person) => person.rowId)
  await sql`DELETE FROM persons WHERE id = ANY(${ids}::bigint[])`.execute(transaction)
  const rows = personRows(lost, moved)
  return rows.map((row) => ({ ...row, person_version: row.person_version + 1, is_deleted: 1 as const }))
}

async function currentRows(transaction: StoreTransaction, persons: readonly Person[]) {
  const ids = await rowsOf<DistinctIdVersion>(transaction)`
    SELECT person_id, distinct_id, version FROM person_distinct_ids
    WHERE person_id = ANY(${persons.map((person) => person.rowId)}::bigint[])`
  return personRows(persons, ids)
}

function personRows(persons: readonly Person[], ids: readonly DistinctIdVersion[]): PersonStateRow[] {
  const byRowId = new Map(persons.map((person) => [person.rowId, person]))
  return ids.flatMap(({ person_id, distinct_id, version }) => {
    const person = byRowId.get(person_id)
    if (!person) return []
    return {
      team_id: person.projectId,
      distinct_id,
      person_id: person.uuid,
      properties: person.text,
      person_version: person.version,
      person_distinct_id_version: version,
      created_at: new Date(person.createdAt),
      is_deleted: 0,
    }
  })
}
