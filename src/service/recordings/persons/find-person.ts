import { isUuid } from '../../auth/uuid.ts'
import type { Services } from '../../services.ts'
import { findStoredPerson, hasRecordings, type StoredPerson } from '../../store/recordings/persons.ts'
import { queryWarehouse } from '../query-warehouse.ts'
import { Bindings } from '../filter/filter-sql.ts'

/** A person; `uuid` and `created_at` are null for a visitor who was never identified. */
export type KnownPerson = Omit<StoredPerson, 'uuid' | 'created_at'> & {
  project_id: number
  uuid: string | null
  created_at: Date | null
}

type Engines = Pick<Services, 'store' | 'warehouse'>

/** Keeps the ids below the 128 KiB that ClickHouse accepts in a query parameter, at up to 3 bytes per character. */
const idsLengthMax = 40_000

/**
 * Finds a person by UUID, also one from before a merge, or by a distinct id. A distinct id without a profile is found if it
 * has events or recordings.
 */
export async function findPerson(
  engines: Engines,
  projectId: number,
  id: string,
): Promise<KnownPerson | undefined> {
  // PostgreSQL's text cannot contain a null character, so no distinct id has one.
  if (id.includes('\0')) return undefined
  const { store } = engines
  const uuid = isUuid(id) ? id : null
  const stored = await findStoredPerson(store, projectId, uuid, id)
  if (stored) return known(projectId, stored)
  const merged = uuid === null ? undefined : await formerDistinctId(engines, projectId, uuid)
  const survivor = merged === undefined ? undefined : await findStoredPerson(store, projectId, null, merged)
  if (survivor) return known(projectId, survivor)
  const isSeen = (await hasRecordings(store, projectId, id)) || (await hasEvents(engines, projectId, id))
  if (!isSeen) return undefined
  const unknown = { uuid: null, name: null, created_at: null, properties: {} }
  return { ...unknown, project_id: projectId, distinct_ids: [id], distinct_id_count: 1 }
}

function known(projectId: number, person: StoredPerson): KnownPerson {
  let length = 0
  const distinct_ids = person.distinct_ids.filter((id) => (length += id.length) <= idsLengthMax)
  return { ...person, project_id: projectId, distinct_ids }
}

/** Returns a distinct id of a person that was merged into another one. */
async function formerDistinctId({ warehouse }: Engines, projectId: number, uuid: string) {
  const bindings = new Bindings()
  const [row] = await queryWarehouse<{ distinct_id: string }>(
    warehouse,
    `SELECT distinct_id FROM persons
    WHERE team_id = ${bindings.bind('Int64', projectId)} AND person_id = ${bindings.bind('UUID', uuid)}
    ORDER BY inserted_at DESC LIMIT 1`,
    bindings,
  )
  return row?.distinct_id
}

async function hasEvents({ warehouse }: Engines, projectId: number, distinctId: string) {
  const bindings = new Bindings()
  const [team, id] = [bindings.bind('Int64', projectId), bindings.bind('String', distinctId)]
  const events = `SELECT 1 FROM events WHERE team_id = ${team} AND distinct_id = ${id} LIMIT 1`
  const rows = await queryWarehouse(warehouse, events, bindings)
  return rows.length > 0
}
