import { formatInstant } from '../../contract/instant.ts'
import { shownPattern } from '../../contract/recordings/shown-pattern.ts'
import { safeText } from '../engines/safe-text.ts'
import type { Services } from '../services.ts'
import { findRows } from '../store/schema/rows.ts'
import { errorState } from '../store/triage/triage-state.ts'
import { projectFinding, type Finding } from './incident-changes.ts'

type WarehouseServices = Pick<Services, 'warehouse' | 'store'>

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Days whose pauses between events are compared, and hours with events that they must contain. */
const comparedDays = 8
const activeHoursMin = 24

/**
 * Finds projects at which no event has arrived for an hour longer than in any pause of the last eight days. `silent` contains the
 * projects with an open incident and its start (milliseconds): they stay silent until the next event, whenever the last one was.
 */
export async function findSilent(
  { warehouse }: WarehouseServices,
  now: number,
  silent: ReadonlyMap<number, number>,
): Promise<Finding[]> {
  const active = await warehouse.query<{ team: number }>(
    `SELECT DISTINCT team_id AS team FROM events WHERE inserted_at >= fromUnixTimestamp64Milli({from: Int64})`,
    { params: { from: now - hourMs } },
  )
  const isActive = new Set(active.map(({ team }) => Number(team)))
  const rows = await warehouse.query<{ team: number; hours: number[]; last: number }>(
    `SELECT team_id AS team, arraySort(groupUniqArray(intDiv(toUnixTimestamp(inserted_at), 3600))) AS hours,
      max(toUnixTimestamp64Milli(inserted_at)) AS last
    FROM events WHERE inserted_at >= fromUnixTimestamp64Milli({from: Int64}) AND NOT has({active: Array(Int64)}, team_id)
    GROUP BY team_id`,
    { params: { from: now - comparedDays * dayMs, active: [...isActive] } },
  )
  const history = new Map(rows.map((row) => [Number(row.team), row]))
  const opening = [...history.values()].filter(({ hours, last }) => {
    if (hours.length < activeHoursMin) return false
    const pauses = hours.slice(1).map((hour, index) => Number(hour) - Number(hours[index]))
    return now - Number(last) > (Math.max(...pauses) + 1) * hourMs
  })
  const kept = [...silent].filter(
    ([team, from]) => !isActive.has(team) && !(Number(history.get(team)?.last) > from),
  )
  const findings = new Map<number, Finding>()
  for (const [projectId] of kept)
    findings.set(
      projectId,
      projectFinding(projectId, 'silent', { detail: 'No event has arrived since.', opens: false }),
    )
  for (const { team, last } of opening)
    findings.set(
      Number(team),
      projectFinding(Number(team), 'silent', {
        detail: `The last event arrived at ${formatInstant(Number(last))}, an hour longer ago than the longest quiet spell of the last eight days: check that the site still sends events.`,
        opens: true,
      }),
    )
  return [...findings.values()]
}

/** Sessions of a day that make a kind of error worth an alert, and occurrences that make it growing. */
const sessionsMin = 3
const growingMin = 20
const growingFactor = 4
/** Alerts about kinds of errors in a project at once. */
const errorsMax = 20

type ErrorRow = {
  team: number
  cluster: number
  pattern: string
  isNew: number
  isGrowing: number
  today: number
  newest: number
}

/** Finds kinds of errors that began or grew in the last day. `open` are the clusters with an open incident. */
export async function findErrors(
  { warehouse, store }: WarehouseServices,
  now: number,
  open: readonly number[],
): Promise<Finding[]> {
  const rows = await warehouse.query<ErrorRow>(
    `SELECT team, cluster, pattern, today, newest,
      sessions >= ${sessionsMin} AND oldest >= {day: Int64} AND first < {day: Int64} AS isNew,
      sessions >= ${sessionsMin} AND oldest < {week: Int64} AND today >= ${growingMin}
        AND today >= ${growingFactor} * before / ${comparedDays - 1} AS isGrowing
    FROM (SELECT *, min(oldest) OVER (PARTITION BY team) AS first FROM (
      SELECT team_id AS team, cluster, any(entries.pattern) AS pattern, min(toUnixTimestamp64Milli(timestamp)) AS oldest,
        max(toUnixTimestamp64Milli(timestamp)) AS newest,
        uniqIf(session_id, toUnixTimestamp64Milli(timestamp) >= {day: Int64}) AS sessions,
        countIf(toUnixTimestamp64Milli(timestamp) >= {day: Int64}) AS today,
        countIf(toUnixTimestamp64Milli(timestamp) >= {week: Int64}) - today AS before
      FROM console_entries AS entries WHERE cluster != 0 GROUP BY team_id, cluster))
    WHERE today > 0 AND (isNew OR isGrowing OR has({open: Array(UInt32)}, cluster))
    ORDER BY has({open: Array(UInt32)}, cluster) DESC, sessions DESC, cluster LIMIT ${errorsMax} BY team`,
    { params: { day: now - dayMs, week: now - comparedDays * dayMs, open } },
  )
  const states = await findRows(store, 'triage', { kind: 'error' })
  const stateOf = new Map(states.map((row) => [`${row.project_id} ${row.key}`, row]))
  return rows.flatMap((row): Finding[] => {
    const change = stateOf.get(`${row.team} ${row.cluster}`)
    const isSettled = change && errorState(change, Number(row.newest)) === 'resolved'
    if (change?.state === 'ignored' || isSettled) return []
    const what = row.isNew ? 'New error' : row.isGrowing ? 'Growing error' : 'Error'
    return [
      projectFinding(Number(row.team), 'error', {
        cause: String(row.cluster),
        detail: `${what}, ${Number(row.today).toLocaleString('en')} times in 24 hours: ${safeText(shownPattern(row.pattern), Infinity)}`,
        opens: Boolean(row.isNew) || Boolean(row.isGrowing),
      }),
    ]
  })
}
