import { sql, type RawBuilder } from 'kysely'
import type { RecordingOrder } from '../../../contract/recordings/recording-filter.ts'
import { textArray } from '../../engines/postgres/text-array.ts'
import { preparedRowsOf, rowsOf, type Store } from '../schema/database.ts'

/** A PostgreSQL condition on `recording` or `person`; NULL counts as false. */
export type RowCondition = RawBuilder<boolean> & {
  /** Selects the ids of the project's recordings that meet the condition, and of deleted ones, each once, without reading their rows. */
  ids?: (projectId: number) => RawBuilder<unknown>
  /** Recordings that meet the condition are usually few. */
  isRare?: boolean
  /** The order whose index also finds these recordings. */
  comparedOrder?: RecordingOrder
  /** The condition is met if one of its parts is. Each has an index of its own, which their OR would not read alone. */
  parts?: readonly RowCondition[]
  /** The same condition, for a statement that finds the rows of each listed text. */
  lookup?: RowCondition
  /** The condition limits the start of the recording, and nothing else. */
  isPeriod?: boolean
}

/** Requires that a recording has one of these texts in a column. */
export function isOneOf(column: 'session_id' | 'distinct_id', texts: readonly string[]): RowCondition {
  const [name, array] = [sql.ref(`recording.${column}`), sql`${textArray(texts)}::text[]`]
  // The planner compares each text of a constant array with its statistics, which takes up to a third of a search; of a subquery,
  // it cannot. But only a constant array is hashed, for checks of rows found otherwise. The cast makes ANY read an array, not rows.
  const lookup = sql<boolean>`${name} = ANY ((SELECT ${array})::text[])`
  return Object.assign(sql<boolean>`${name} = ANY (${array})`, { lookup })
}

/** A selection of a project's recordings. */
export type Selected = { projectId: number; conditions: readonly RowCondition[] }
/** A selection in order. */
export type RecordingSelection = Selected & { order: RecordingOrder; direction: 'ASC' | 'DESC' }
export type Slice = { limit: number; offset: number }

/** Recordings that a filter may select before their count is estimated. */
export const countedMax = 10_000
const sampleSize = 1000

/** Counts all recordings of a project. */
export async function countRecordings(store: Store, projectId: number) {
  const [row] = await preparedRowsOf<{ count: number }>(store)`
    SELECT count FROM session_recording_counts WHERE project_id = ${projectId}`
  return row?.count ?? 0
}

/** Estimates the share of the project's recordings that is selected, from 0 to 1, from a random sample. */
export async function selectedShare(store: Store, { projectId, conditions }: Selected) {
  const [row] = await rowsOf<{ share: number | null }>(store)`
    SELECT avg(((${all(conditions)}) IS TRUE)::integer)::double precision AS share ${fromSample(projectId)}`
  return row?.share ?? 0
}

/** Returns a selection as text, the same for times within one minute. */
export function selectionText(store: Store, selected: Selected): string {
  const { sql: text, parameters } = fromSelected(selected).compile(store)
  const values = parameters.map((value) => {
    if (value instanceof Date) return Math.floor(value.getTime() / 60_000)
    return value instanceof Buffer ? value.toString('latin1') : value
  })
  return JSON.stringify([text, values])
}

function fromSample(projectId: number) {
  return sql`FROM (SELECT * FROM session_recordings WHERE project_id = ${projectId} AND deleted_at IS NULL
    ORDER BY hashint8(id) LIMIT ${sampleSize}) AS recording`
}

/** A session and when its recording started (ms since the epoch): parsing thousands of dates would take milliseconds. */
type SessionStart = { session_id: string; started: number }
const started = sql`${milliseconds(sql`start_time`)} AS started`
type SampledRow = SessionStart & { flags: boolean[]; selected: boolean }

/** Returns the selected recordings of a random sample of `size`, each with which of the `flags` it meets. */
export async function sampleRecordings(
  store: Store,
  { projectId, conditions }: Selected,
  flags: readonly RawBuilder<boolean>[],
) {
  const rows = await rowsOf<SampledRow>(store)`
    SELECT session_id, ${started}, (${all(conditions)}) IS TRUE AS selected, ${areTrue(flags)} ${fromSample(projectId)}`
  return { size: rows.length, rows: rows.filter(({ selected }) => selected) }
}

/** Counts the selected recordings that meet each of the `flags`, among the first `limit` at most. */
export async function countSelected(
  store: Store,
  selection: Selected,
  flags: readonly RawBuilder<boolean>[],
  limit: number | null = null,
) {
  const counts = flags.map((_, index) => sql`count(*) FILTER (WHERE flags[${index + 1}::int])::integer`)
  const [row] = await rowsOf<{ counts: number[] }>(store)`SELECT ARRAY[${sql.join(counts)}] AS counts
    FROM (SELECT ${areTrue(flags)} ${fromSelected(selection)} LIMIT ${limit}) AS selected`
  return row?.counts ?? flags.map(() => 0)
}

function areTrue(flags: readonly RawBuilder<boolean>[]) {
  return sql`ARRAY[${sql.join(flags.map((flag) => sql`(${flag}) IS TRUE`))}] AS flags`
}

/** Counts a small selection of recordings and returns a slice of their ids; null if there are more than `countedMax`. */
export async function collectRecordings(
  store: Store,
  selection: RecordingSelection,
  slice: Slice,
  total: number,
) {
  const found = await collect(store, selection, slice, total)
  return found && found.count <= countedMax ? found : null
}

async function collect(store: Store, selection: RecordingSelection, slice: Slice, total: number) {
  const { conditions } = selection
  const lookups = conditions.flatMap(({ lookup }) => lookup ?? [])
  const others = conditions.filter(({ lookup }) => !lookup)
  if (lookups.length === 1 && others.every(({ isPeriod }) => isPeriod)) {
    // With IS TRUE, no index serves the period, all of whose recordings the planner would otherwise read.
    const checks = others.map((condition) => sql<boolean>`(${condition}) IS TRUE`)
    return await collectRows(store, { ...selection, conditions: [...lookups, ...checks] }, slice)
  }
  // Of several conditions, one may be met by many recordings, which would take long to find.
  const only = conditions.length === 1 ? conditions[0] : undefined
  const parts = only?.parts ?? (only && !isPlaced(only, selection.order) ? [only] : null)
  return parts
    ? await collectParts(store, selection, slice, { parts, total })
    : await collectRows(store, selection, slice)
}

type Collected = { count: number; ids: number[] }

async function collectRows(store: Store, selection: RecordingSelection, slice: Slice) {
  const { order, direction } = selection
  const rows = sql`SELECT id, ${sql.ref(order)} AS place ${fromSelected(selection)}`
  return await collectPlaced(store, rows, direction, slice)
}

/** Collects what a statement selects, `id` and `place`, sorted by the place. */
async function collectPlaced(
  store: Store,
  placed: RawBuilder<unknown>,
  direction: RecordingSelection['direction'],
  { limit, offset }: Slice,
) {
  const [found] = await rowsOf<Collected>(store)`
    WITH selected AS MATERIALIZED (${placed} LIMIT ${countedMax + 1})
    SELECT (SELECT count(*) FROM selected) AS count,
      ARRAY(SELECT id FROM selected ORDER BY ${ordered('place', direction)} LIMIT ${limit} OFFSET ${offset}) AS ids`
  return found
}

/** Rows of the index for an order that are read in the time in which the place of one recording is found by its id. */
const rowsPerLookup = 50
/** Rows walked, as a multiple of those among which the slice is expected. */
const walkMargin = 2

/**
 * Collects the recordings that meet one of several conditions. If places are unknown, walks through all `total` recordings in order
 * until the slice is full. Where that would take longer than finding these places by id, or does not fill it soon enough, sorts them.
 */
async function collectParts(
  store: Store,
  { projectId, order, direction }: RecordingSelection,
  { limit, offset }: Slice,
  { parts, total }: { parts: readonly RowCondition[]; total: number },
) {
  const selects = parts.map((part) => sql`(${placesOf(part, projectId, order)} LIMIT ${countedMax + 1})`)
  const found = sql`FROM (${sql.join(selects, sql` UNION ALL `)}) AS found`
  const few =
    selects.length === 1
      ? sql`SELECT id, place ${found}`
      : sql`SELECT id, max(place) AS place ${found} GROUP BY id`
  // Planning the walk takes most of the time of planning the statement.
  if (parts.every((part) => isPlaced(part, order)))
    return await collectPlaced(store, few, direction, { limit, offset })
  const wanted = sql`least(count, ${limit + offset}::bigint)`
  const slice = sql`LIMIT ${limit} OFFSET ${offset}`
  // IS TRUE makes the test of each id a lookup in a hash; as a join, it could lose the order of the walk.
  const isFew = sql`(id IN (SELECT id FROM few)) IS TRUE`
  const [collected] = await rowsOf<Collected>(store)`
    WITH few AS MATERIALIZED (${few} LIMIT ${countedMax + 1}),
      size AS MATERIALIZED (SELECT count(*) AS count, count(*) - count(place) AS unplaced FROM few),
      walk AS (SELECT count, unplaced, ${walkMargin}::bigint * ${wanted} * ${total}::bigint / greatest(count, 1) AS rows FROM size),
      walked AS MATERIALIZED (SELECT id FROM (
          SELECT id ${fromSelected({ projectId, conditions: [] })} ORDER BY ${ordered(order, direction)}
          LIMIT (SELECT rows FROM walk WHERE count <= ${countedMax} AND rows <= ${rowsPerLookup} * unplaced
            UNION ALL SELECT 0 LIMIT 1)) AS recording
        WHERE ${isFew} LIMIT ${limit + offset})
    SELECT count, CASE WHEN count > ${countedMax} THEN NULL
      WHEN (SELECT count(*) FROM walked) = ${wanted} THEN ARRAY(SELECT id FROM walked ${slice})
      ELSE ARRAY(SELECT id FROM (SELECT id,
          coalesce(place, (SELECT ${sql.ref(order)} FROM session_recordings own WHERE own.id = few.id)) AS place FROM few) AS placed
        ORDER BY ${ordered('place', direction)} ${slice}) END AS ids FROM size`
  return collected
}

/** Whether `placesOf` knows the places of a condition's recordings. */
function isPlaced({ ids, comparedOrder }: RowCondition, order: RecordingOrder): boolean {
  return !ids || comparedOrder === order
}

/** Selects the recordings that meet a condition, with their places in an order; null where only the ids are known. */
function placesOf(part: RowCondition, projectId: number, order: RecordingOrder) {
  const column = sql.ref(order)
  return part.ids && !isPlaced(part, order)
    ? // NULL of the column's type.
      sql`SELECT id, (NULL::session_recordings).${column} AS place FROM (${part.ids(projectId)}) AS given (id)
        WHERE NOT EXISTS (SELECT FROM session_recordings deleted WHERE deleted.id = given.id AND deleted_at IS NOT NULL)`
    : sql`SELECT id, ${column} AS place ${fromSelected({ projectId, conditions: [part] })}`
}

/** Returns the sessions of the selected recordings, in no order; null if there are more than `countedMax`. */
export async function selectedSessions(store: Store, selection: Selected) {
  const rows = await rowsOf<SessionStart>(store)`
    SELECT session_id, ${started} ${fromSelected(selection)} LIMIT ${countedMax + 1}`
  return rows.length > countedMax ? null : rows
}

/** Returns the ids of a slice of a large selection, in order, by reading the index for that order until the slice is full. */
export async function walkIds(store: Store, selection: RecordingSelection, slice: Slice) {
  const rows = await rowsOf<{ id: number }>(store)`SELECT id ${sliceOf(selection, slice)}`
  return rows.map(({ id }) => id)
}

function sliceOf(selection: RecordingSelection, { limit, offset }: Slice) {
  const order = ordered(selection.order, selection.direction)
  return sql`${fromSelected(selection)} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`
}

/** Recordings in order, the session of each at the same index, and the earliest and latest start (ms since the epoch; 0 without recordings). */
type Walked = { ids: number[]; sessionIds: string[]; startMin: number; startMax: number }

/** Like `walkIds`, with the sessions of the recordings. */
export async function walkRecordings(
  store: Store,
  selection: RecordingSelection,
  given: Slice,
): Promise<Walked> {
  const slice = sliceOf(selection, given)
  const walked =
    selection.order === 'start_time'
      ? // The index for this order has all columns.
        sql`SELECT id, session_id, start_time ${slice}`
      : // The join comes last, so that rows skipped by the offset are read from the index only.
        sql`SELECT id, session_id, start_time FROM session_recordings JOIN (
          SELECT id, row_number() OVER () AS number FROM (SELECT id ${slice}) AS slice) AS numbered USING (id)
        ORDER BY number`
  // One row of JSON arrays, because reading a thousand rows takes the service a millisecond.
  const [row] = await rowsOf<Walked | { ids: null }>(store)`
    SELECT to_json(array_agg(id)) AS ids, to_json(array_agg(session_id)) AS "sessionIds",
      ${milliseconds(sql`min(start_time)`)} AS "startMin", ${milliseconds(sql`max(start_time)`)} AS "startMax"
    FROM (${walked}) AS walked`
  return row?.ids ? row : { ids: [], sessionIds: [], startMin: 0, startMax: 0 }
}

/**
 * Returns the sessions of the recordings that start in a period (ms since the epoch) whose ids are not from `first` to before
 * `last`, a range with all ids that begin with a time within an hour of the start of their recording. Null if the period has more
 * than `limit` recordings with other ids.
 */
export async function sessionsOutside(
  store: Store,
  projectId: number,
  { from, to, first, last }: { from: number; to: number | null; first: string; last: string },
  limit: number,
) {
  const end = to === null ? 'infinity' : new Date(to)
  // An index has just the recordings with such ids.
  const [found] = await rowsOf<{ count: number; ids: string[] | null }>(store)`
    SELECT count(*), array_agg(session_id) FILTER (WHERE NOT (session_id COLLATE "C" >= ${first} AND session_id COLLATE "C" < ${last})) AS ids
    FROM (SELECT session_id FROM session_recordings
      WHERE project_id = ${projectId} AND deleted_at IS NULL AND start_time >= ${new Date(from)} AND start_time < ${end}
        AND (session_id COLLATE "C" < timed_id(start_time, -3600000) OR session_id COLLATE "C" >= timed_id(start_time, 3600000))
      LIMIT ${limit + 1}) AS recording`
  return found && found.count <= limit ? (found.ids ?? []) : null
}

/** Returns the selected recordings after this id, by id. */
export async function recordingsAfter(store: Store, selection: Selected, after: number, limit: number) {
  return await rowsOf<SessionStart & { id: number }>(store)`
    SELECT id, session_id, ${started} ${fromSelected(selection)} AND id > ${after} ORDER BY id LIMIT ${limit}`
}

/** Selects recordings from `recording`; further conditions can be appended with AND. */
export function fromSelected({ projectId, conditions }: Selected) {
  return sql`FROM session_recordings recording
    WHERE project_id = ${projectId} AND deleted_at IS NULL AND ${all(conditions)}`
}

function all(conditions: readonly RowCondition[]) {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `)
}

/** Converts a time to milliseconds since the epoch. */
function milliseconds(time: RawBuilder<unknown>) {
  return sql`(extract(epoch FROM ${time}) * 1000)::float8`
}

function ordered(column: string, direction: 'ASC' | 'DESC') {
  const keyword = sql.raw(direction)
  return sql`${sql.ref(column)} ${keyword}, id ${keyword}`
}
