import type { Warehouse } from '../../engines/clickhouse/clickhouse.ts'
import { Bindings } from '../filter/filter-sql.ts'
import { queryWarehouse } from '../query-warehouse.ts'
import type { EventRow } from '../session-events.ts'
import type { KnownPerson } from './find-person.ts'

const pageSize = 50
/** Length (bytes) of a page's properties from which it ends early; an event can have many megabytes. */
const pageBytesMax = 2_000_000
const namesMax = 200

type Identity = Pick<KnownPerson, 'project_id' | 'distinct_ids'>

/** Selects a person's events, without repeats. */
function eventsOf(bindings: Bindings, { project_id, distinct_ids }: Identity): string {
  return `events FINAL WHERE team_id = ${bindings.bind('Int64', project_id)} AND distinct_id IN ${bindings.bind('Array(String)', distinct_ids)}`
}

type EventNumbers = { event: string; count: number; total: number; first: number; last: number }

/** Counts a person's events, all together and by name; `first` and `last` in milliseconds since the epoch. */
export async function eventNumbers(warehouse: Warehouse, person: Identity) {
  const bindings = new Bindings()
  const rows = await queryWarehouse<EventNumbers>(
    warehouse,
    `SELECT event, count, sum(count) OVER () AS total, min(earliest) OVER () AS first, max(latest) OVER () AS last
    FROM (SELECT event, count() AS count, toUnixTimestamp64Milli(min(timestamp)) AS earliest,
      toUnixTimestamp64Milli(max(timestamp)) AS latest FROM ${eventsOf(bindings, person)} GROUP BY event)
    ORDER BY count DESC, event LIMIT ${namesMax}`,
    bindings,
  )
  const { total = 0, first = null, last = null } = rows[0] ?? {}
  return { events: rows.map(({ event, count }) => ({ event, count })), total, first, last }
}

/** A place in the order of a person's events: microseconds since the epoch, and what distinguishes simultaneous events. */
export type EventPlace = { time: number; uuid: string; event: string; distinctId: string }

export type PersonEventRow = Omit<EventRow, 'time'> & {
  session_id: string
  /** Microseconds since the epoch. */
  time: number
}

type EventSelection = {
  /** Only events of this name. */
  name: string | undefined
  /** The page begins after this place or, if `back`, ends before it; null for the newest events. */
  from: { place: EventPlace; back: boolean } | null
}

/** Returns a page of a person's events, newest first; `hasMore` in the direction of reading. */
export async function pageOfEvents(warehouse: Warehouse, person: Identity, { name, from }: EventSelection) {
  const bindings = new Bindings()
  const back = from?.back ?? false
  const direction = back ? 'ASC' : 'DESC'
  const conditions = [eventsOf(bindings, person)]
  if (name !== undefined) conditions.push(`event = ${bindings.bind('String', name)}`)
  if (from) {
    const { time, uuid, event, distinctId } = from.place
    const place = [
      bindings.bind('Int64', time),
      bindings.bind('UUID', uuid),
      bindings.bind('String', event),
      bindings.bind('String', distinctId),
    ]
    conditions.push(
      `(toUnixTimestamp64Micro(timestamp), uuid, event, distinct_id) ${back ? '>' : '<'} (${place.join(', ')})`,
    )
  }
  const order = ['time', 'uuid', 'event', 'distinct_id'].map((column) => `${column} ${direction}`).join(', ')
  const rows = await queryWarehouse<PersonEventRow & { found: number }>(
    warehouse,
    `SELECT uuid, event, distinct_id, session_id, time, properties, elements_chain, found FROM (
      SELECT *, count() OVER () AS found, row_number() OVER (ORDER BY ${order}) AS number,
        sum(length(properties)) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - length(properties) AS bytes_before
      FROM (SELECT uuid, event, distinct_id, session_id, properties, elements_chain, toUnixTimestamp64Micro(timestamp) AS time
        FROM ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${pageSize + 1}))
    WHERE number <= ${pageSize} AND bytes_before < ${pageBytesMax} ORDER BY number`,
    bindings,
  )
  const hasMore = (rows[0]?.found ?? 0) > rows.length
  const page = rows.map(({ found: _, ...row }) => row)
  return { rows: back ? page.reverse() : page, hasMore }
}
