import type { Warehouse } from '../engines/clickhouse/clickhouse.ts'
import type { PersonErasureRow } from '../store/privacy/person-erasures.ts'

type Erased = Pick<
  PersonErasureRow,
  'project_id' | 'distinct_ids' | 'session_ids' | 'kept_session_ids' | 'erased_until'
>

/** Tables of what events say of their sessions, and the rows of them that come from events. */
export const derivedFromEvents = {
  session_events: 'true',
  event_properties: 'true',
  session_texts: 'true',
  console_entries: `level = 'exception'`,
  session_entries: `level = 'exception'`,
  // Last: the values of properties are found by it.
  session_properties: 'true',
}
/** Tables with rows of a person, and tables with rows of a session. */
const tablesOfPersons = ['events', 'persons', 'recordings']
const tablesOfSessions = [
  'recordings',
  'session_failed_requests',
  'session_paths',
  'session_steps',
  ...Object.keys(derivedFromEvents),
]
const erasedTables = [...new Set([...tablesOfPersons, 'property_values', ...tablesOfSessions])]

/** Characters of the ids in a statement: ClickHouse accepts 128 KiB in a parameter. */
const idsLengthMax = 30_000

/** Splits ids into lists that fit into a statement. */
export function partsOf(ids: readonly string[]): string[][] {
  const parts: string[][] = []
  let length = Infinity
  for (const id of ids) {
    length += id.length + 3
    if (length > idsLengthMax) {
      parts.push([])
      length = id.length + 3
    }
    parts.at(-1)?.push(id)
  }
  return parts
}

const ofPerson = `team_id = {team: Int64} AND distinct_id IN {ids: Array(String)}
  AND inserted_at <= fromUnixTimestamp64Milli({until: Int64}, 'UTC')`
const ofSessions = `team_id = {team: Int64} AND session_id IN {ids: Array(String)}`

function paramsOf({ project_id, erased_until }: Erased, ids: readonly string[]) {
  return { team: project_id, until: erased_until?.getTime() ?? 0, ids }
}

/** Returns the sessions in which a person sent events. */
export async function sessionsOfPerson(warehouse: Warehouse, erased: Erased): Promise<string[]> {
  const sessions = new Set<string>()
  for (const ids of partsOf(erased.distinct_ids)) {
    const rows = await warehouse.query<{ session_id: string }>(
      `SELECT DISTINCT session_id FROM events WHERE ${ofPerson} AND session_id != ''`,
      { params: paramsOf(erased, ids) },
    )
    for (const { session_id } of rows) if (!session_id.includes('\0')) sessions.add(session_id)
  }
  return [...sessions]
}

/** Returns those of the sessions in which persons with other distinct ids sent events. */
export async function sessionsOfOthers(warehouse: Warehouse, erased: Erased): Promise<string[]> {
  // One statement names all distinct ids, in as many parameters as they need.
  const own = partsOf(erased.distinct_ids)
  const isOther = own.map((_, index) => ` AND distinct_id NOT IN {own${index}: Array(String)}`).join('')
  const params = Object.fromEntries(own.map((part, index) => [`own${index}`, part]))
  const sessions: string[] = []
  for (const ids of partsOf(erased.session_ids)) {
    const rows = await warehouse.query<{ session_id: string }>(
      `SELECT DISTINCT session_id FROM events WHERE ${ofSessions}${isOther}`,
      { params: { team: erased.project_id, ids, ...params } },
    )
    sessions.push(...rows.map(({ session_id }) => session_id))
  }
  return sessions
}

/** Counts the rows of a person and of the sessions, each once. */
export async function countRows(warehouse: Warehouse, erased: Erased) {
  const count = async (table: string, condition: string, all: readonly string[]) => {
    let sum = 0
    for (const ids of partsOf(all)) {
      // Only persons cannot have repeats.
      const final = table === 'persons' ? '' : 'FINAL'
      const from = `SELECT count() AS count FROM ${table} ${final} WHERE ${condition}`
      const [row] = await warehouse.query<{ count: number }>(from, { params: paramsOf(erased, ids) })
      sum += row?.count ?? 0
    }
    return sum
  }
  const { session_ids, kept_session_ids } = erased
  const derived = [
    ...tablesOfSessions.map((table) => count(table, ofSessions, session_ids)),
    ...Object.entries(derivedFromEvents).map(([table, rows]) =>
      count(table, `${ofSessions} AND ${rows}`, kept_session_ids),
    ),
  ]
  return {
    events: await count('events', ofPerson, erased.distinct_ids),
    profile_rows: await count('persons', ofPerson, erased.distinct_ids),
    derived_rows: (await Promise.all(derived)).reduce((sum, rows) => sum + rows, 0),
  }
}

/** Hides the rows of a person from every query and run. Repeating it changes nothing. */
export async function hidePerson(warehouse: Warehouse, erased: Erased): Promise<void> {
  for (const ids of partsOf(erased.distinct_ids))
    for (const table of tablesOfPersons)
      await warehouse.command(`DELETE FROM ${table} WHERE ${ofPerson}`, { params: paramsOf(erased, ids) })
}

const valuesOfSessions = `SELECT key, value FROM session_properties WHERE ${ofSessions}`
/** The values of properties that no other session has. */
const ownValues = `team_id = {team: Int64} AND (key, value) IN (${valuesOfSessions}) AND (key, value) NOT IN (
  SELECT key, value FROM session_properties WHERE team_id = {team: Int64} AND session_id NOT IN {ids: Array(String)}
    AND (key, value) IN (${valuesOfSessions}))`

/**
 * Hides the rows that were derived from the sessions of a person; of the sessions whose recordings stay, those that were derived
 * from events. Repeating it changes nothing.
 */
export async function hideSessions(warehouse: Warehouse, erased: Erased): Promise<void> {
  const ofAll = Object.fromEntries(tablesOfSessions.map((table) => [table, 'true']))
  for (const [sessions, tables] of [
    [erased.session_ids, ofAll],
    [erased.kept_session_ids, derivedFromEvents],
  ] as const)
    for (const ids of partsOf(sessions)) {
      const options = { params: paramsOf(erased, ids) }
      await warehouse.command(`DELETE FROM property_values WHERE ${ownValues}`, options)
      for (const [table, rows] of Object.entries(tables))
        await warehouse.command(`DELETE FROM ${table} WHERE ${ofSessions} AND ${rows}`, options)
    }
}

/** Starts to rewrite the files that contain hidden rows, without these rows. */
export async function startRewriting(warehouse: Warehouse): Promise<void> {
  for (const table of erasedTables)
    await warehouse.command(`ALTER TABLE ${table} APPLY DELETED MASK SETTINGS mutations_sync = 0`)
}

const ofTables = `database = currentDatabase() AND table IN (${erasedTables.map((table) => `'${table}'`).join(', ')})`

/** Returns the number of tables that are still being rewritten, and why one cannot be; null without a problem. */
export async function rewritingState(warehouse: Warehouse) {
  const [row] = await warehouse.query<{ running: number; problem: string }>(
    `SELECT count() AS running, anyIf(latest_fail_reason, latest_fail_reason != '') AS problem
    FROM system.mutations WHERE ${ofTables} AND NOT is_done AND command LIKE '%APPLY DELETED MASK%'`,
  )
  return { running: row?.running ?? 0, problem: row?.problem || null }
}

/** Whether the disk still has files that were replaced until a time (milliseconds). */
export async function hasReplacedFiles(warehouse: Warehouse, until: number): Promise<boolean> {
  const rows = await warehouse.query(
    `SELECT 1 FROM system.parts WHERE ${ofTables} AND NOT active
      AND toUnixTimestamp(modification_time) * 1000 <= {until: Int64} LIMIT 1`,
    { params: { until } },
  )
  return rows.length > 0
}
