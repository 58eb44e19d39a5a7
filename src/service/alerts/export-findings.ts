import type { AlertKind } from '../../contract/alerts/alert-rule.ts'
import { textsOf } from '../../contract/destinations/destination-kind.ts'
import { destinationKinds } from '../../contract/destinations/destination-kinds.ts'
import { placedConfig } from '../store/runs/placed-config.ts'
import { failureCause, readFailureKey } from '../../contract/runs/failure-cause.ts'
import { formatInstant } from '../../contract/instant.ts'
import { intervalLength, type Interval } from '../../contract/interval.ts'
import { ledgerFlagsOf } from '../../contract/runs/ledger.ts'
import { usualRowsOf } from '../../contract/runs/usual-rows.ts'
import type { Store } from '../store/schema/database.ts'
import { unverified } from '../store/windows/ledger.ts'
import {
  failingExports,
  lateExports,
  newestWindows,
  shortExports,
  usualDurations,
  type Durations,
  type FailingExport,
  type NewestWindow,
  type WatchedExport,
} from '../store/windows/watched-windows.ts'
import type { Finding } from './incident-changes.ts'

const minuteMs = 60_000
/** The least time (ms) after a window's end before it is late, if computed from durations. */
const lateMsMin = 15 * minuteMs
/** Completed runs below which their durations say too little. */
const durationsMin = 20

type Lateness = {
  /** Minutes after a window's end, from a rule; null: computed. */
  minutesOf: (row: WatchedExport) => number | null
  /** Object for which durations are cached. */
  cacheKey: object
}

/** Finds exports that fail, that paused themselves, and whose newest window is late. */
export async function findInExports(store: Store, now: number, lateness: Lateness): Promise<Finding[]> {
  const failing = await failingExports(store, now)
  const late = await findLate(store, now, lateness)
  return [...failing.flatMap((row) => [...failed(row), ...paused(row)]), ...late]
}

function failed(row: FailingExport): Finding[] {
  const { latest_error: detail } = row
  if (detail === null) return []
  // An export that a user has paused opens no incident, but it keeps one open.
  const opens = !row.paused || row.paused_because !== null
  return [
    finding(row, 'failed', { ...causeOf(row, detail), detail, opens }),
    // A late window that fails in the end is still not at its destination.
    finding(row, 'late', { detail, opens: false }),
  ]
}

function paused(row: FailingExport): Finding[] {
  const { paused_because: because, latest_error: error } = row
  if (because === null) return []
  const cause = error === null ? { cause: 'paused', destination: '' } : causeOf(row, error)
  return [finding(row, 'paused', { ...cause, detail: `${because} ${error ?? ''}`.trim(), opens: true })]
}

/** Classes of failures of which each message is a cause of its own. */
const ownCauses: readonly string[] = ['query', 'schema', 'other']

/** Returns the cause at the destination of the failed run, from which that of the export can differ since. */
function causeOf(row: FailingExport, error: string): Pick<Finding, 'cause' | 'destination'> {
  const place = { type: row.destination_type, config: placedConfig(row) }
  const key = row.failure_cause ?? failureCause(error, place).key
  const { class: name, destination } = readFailureKey(key)
  // A store that is down refuses connections at one time and answers with errors at another.
  const cause = name === 'store' ? 'network' : ownCauses.includes(name) ? key : name
  return { cause, destination: destination ?? '' }
}

async function findLate(store: Store, now: number, { minutesOf, cacheKey }: Lateness): Promise<Finding[]> {
  const rows = await lateExports(store, new Date(now - minuteMs), now)
  const isDue = ({ interval, ends }: WatchedExport & { ends: Date }) =>
    now - ends.getTime() > Math.min(intervalLength(interval), lateMsMin)
  const computed = rows.filter((row) => minutesOf(row) === null && isDue(row))
  const durations = await usualDurations(
    { store, cacheKey },
    computed.map(({ id }) => id),
    now,
  )
  return rows
    .filter((row) => {
      const minutes = minutesOf(row)
      const after = minutes === null ? lateAfter(row.interval, durations.get(row.id)) : minutes * minuteMs
      return now - row.ends.getTime() > after
    })
    .map((row) =>
      finding(row, 'late', {
        detail: `The window that ended at ${formatInstant(row.ends)} is not at the destination.`,
        opens: true,
      }),
    )
}

/** Twice the p99 of the durations, at least 15 minutes; with few runs, one interval. In milliseconds. */
function lateAfter(interval: Interval, durations: Durations | undefined): number {
  // The durations follow in one of the next evaluations.
  if (!durations) return Infinity
  if (durations.runs < durationsMin) return intervalLength(interval)
  return Math.max(2 * durations.p99, lateMsMin)
}

/** Finds exports with windows that lack rows, and those whose newest window has an unusual number of rows. */
export async function findInLedger(store: Store, now: number): Promise<Finding[]> {
  const short = (await shortExports(store, now)).map((row) => {
    const windows = row.windows === 1 ? 'A window has' : `${row.windows} windows have`
    return finding(row, 'short', {
      detail: `${windows} fewer rows at the destination than they should, the newest from ${formatInstant(row.newest)}.`,
      opens: true,
    })
  })
  return [...short, ...(await newestWindows(store, now)).flatMap(unusual)]
}

function unusual(row: NewestWindow): Finding[] {
  const { start, end, rows_written } = row
  const history = row.history.split(';').map((text) => {
    const [from = NaN, rows = NaN] = text.split(',').map(Number)
    return { start: from, end: from + end - start, rows }
  })
  const usual = usualRowsOf(history)({ start, end })
  const entry = { ...unverified, verified: false, rows_expected: rows_written, rows_written }
  const flags = ledgerFlagsOf(entry, usual)
  if (!usual || (!flags.includes('zero') && !flags.includes('unusual'))) return []
  const count = (rows: number) => rows.toLocaleString('en')
  return [
    finding(row, 'unusual', {
      detail: `The window from ${formatInstant(start)} has ${count(rows_written)} rows; at this hour of the week, ${count(usual.rows)} are usual.`,
      opens: true,
    }),
  ]
}

/** By default, the cause is the kind, at the place to which the export writes. */
type FoundFacts = Pick<Finding, 'detail' | 'opens'> & Partial<Pick<Finding, 'cause' | 'destination'>>

function finding(row: WatchedExport, kind: AlertKind, facts: FoundFacts): Finding {
  const place = { cause: kind, destination: placeOf(row) }
  return { projectId: row.project_id, exportId: row.id, kind, ...place, ...facts }
}

/** Names the place to which an export writes. */
function placeOf(row: WatchedExport): string {
  const text = textsOf(placedConfig(row))
  // A cut within a character would be stored as another, so that the incident is not found again.
  const place = destinationKinds[row.destination_type].placeOf((field) =>
    text(field).slice(0, 180).toWellFormed(),
  )
  return place?.bucket ?? 'exports folder'
}
