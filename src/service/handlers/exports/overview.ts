import { encodeStates } from '../../../contract/runs/window-state.ts'
import { failedSince } from '../../store/windows/state-letters.ts'
import { formatInstant } from '../../../contract/instant.ts'
import {
  countWindows,
  endedPeriod,
  windowAt,
  windowsBetween,
  type Window,
} from '../../../contract/interval.ts'
import { ExportOverview, stripLength } from '../../../contract/exports/overview.ts'
import { scheduleOf, upcomingWindow } from '../../../contract/exports/schedule.ts'
import { sumUpIncidents } from '../../store/alerts/incidents.ts'
import {
  overviewRows,
  overviewVersions,
  runningRuns,
  type OverviewRow,
  type OverviewVersion,
  type RunningRun,
} from '../../store/runs/overview.ts'
import { VersionedTexts } from '../../store/runs/versioned-texts.ts'
import type { Store } from '../../store/schema/database.ts'
import { readExpectations, type Expectation } from '../../store/windows/expectation.ts'
import { flaggedMarks } from '../../store/windows/ledger-marks.ts'
import { runsOfPeriods, type WindowRun } from '../../store/windows/window-runs.ts'
import { judgeWindows, type LedgerMark } from '../../store/windows/judge-windows.ts'
import { PreparedJson } from '../../http/prepared-json.ts'
import type { ApiRequest } from '../handler.ts'
import { hiddenKinds } from '../hidden-kinds.ts'
import { shownAs } from '../shown-as.ts'
import { driftedExports } from './drift.ts'
import { shownDestination } from './show-batch-export.ts'
import { stateOfExport } from './state-of-export.ts'

const hourCount = 24

type Request = Pick<ApiRequest<'overviewOfBatchExports'>, 'services' | 'caller' | 'projects'>
type Facts = {
  runs: readonly WindowRun[]
  marks: readonly LedgerMark[]
  expectation: Expectation
  running: RunningRun | null
}

const texts = new WeakMap<Store, VersionedTexts>()

/**
 * Returns all exports of the project, or of all projects that the key can access. The number of queries is constant, and exports
 * that have not changed since the last overview are neither read nor judged again.
 */
export async function overviewOfBatchExports(request: Request): Promise<PreparedJson> {
  const { services, projects } = request
  const { store, clock } = services
  const now = clock.now()
  const projectIds = projects.map((project) => project.id)
  const [exports, running, incidents, drifted] = await Promise.all([
    overviewVersions(store, projectIds, now),
    runningRuns(store, projectIds),
    sumUpIncidents(store, projectIds, hiddenKinds(request.caller)),
    driftedExports(services, projectIds),
  ])
  const known = texts.get(store) ?? new VersionedTexts()
  texts.set(store, known)
  const listed = exports.map((row) => {
    // The progress of a run and what a file has applied change without a new version.
    const isVersioned = !running.has(row.id) && !drifted.has(row.id)
    const version = isVersioned ? versionAt(row, now) : null
    return { id: row.id, version, text: version === null ? undefined : known.find(row.id, version) }
  })
  const ids = listed.flatMap(({ id, text }) => (text ? [] : [id]))
  const read = await readOverviews(store, ids, { running, drifted, now })
  const results = listed.flatMap(({ id, version, text = read.get(id) }) => {
    if (text && version !== null) known.add(id, version, text)
    return text ?? []
  })
  const { open, changedAt } = incidents
  const facts = { open, changed_at: changedAt && formatInstant(changedAt) }
  return PreparedJson.of({ at: formatInstant(now), incidents: facts }, 'results', results)
}

/** Returns the version of an overview, which also depends on the newest ended window and on the hour; null: it has none. */
function versionAt({ interval, version }: OverviewVersion, now: number): string | null {
  return version && `${version} ${windowAt(interval, now).start} ${firstHour(now)}`
}

type Given = { running: ReadonlyMap<string, RunningRun>; drifted: ReadonlySet<string>; now: number }

/** Returns the overviews of those of these exports that still exist as JSON, by export. */
async function readOverviews(
  store: Store,
  ids: readonly string[],
  { running, drifted, now }: Given,
): Promise<Map<string, Buffer>> {
  if (ids.length === 0) return new Map()
  const rows = await overviewRows(store, ids)
  const wanted = rows.map((row) => ({
    id: row.id,
    start: Math.min(stripPeriod(row, now).start, firstHour(now)),
    end: now,
  }))
  const [runs, marks, expected] = await Promise.all([
    runsOfPeriods(store, wanted),
    flaggedMarks(store, wanted),
    readExpectations(store, rows, now),
  ])
  const shown = expected.map(({ row, expectation }, index) => {
    const overview = {
      ...showOverview(row, now, {
        runs: runs[index] ?? [],
        marks: marks.get(row.id) ?? [],
        expectation,
        running: running.get(row.id) ?? null,
      }),
      ...(drifted.has(row.id) && { changed_since_apply: true as const }),
    }
    return [row.id, Buffer.from(JSON.stringify(overview satisfies ExportOverview))] as const
  })
  return new Map(shown)
}

function showOverview(row: OverviewRow, now: number, given: Facts): ExportOverview {
  const { runs, marks, expectation, running } = given
  const strip = stripPeriod(row, now)
  const windows = windowsBetween(row.interval, strip.start, strip.end)
  const states = judgeWindows(windows, runs, marks, expectation, now).map(({ state }) => state)
  const letters = encodeStates(states)
  const failing = windows[failedSince(letters)]?.start ?? null
  const next = row.paused ? null : upcomingWindow(scheduleOf(row), now, row.scheduled_until.getTime())
  const facts = {
    failing: failing !== null,
    running: running !== null || states.includes('waiting'),
    next,
    hasRun: expectation.earliestRun !== null,
  }
  return shownAs(ExportOverview, {
    ...row,
    team_id: row.project_id,
    has_query: row.hogql_query !== null,
    destination: { ...shownDestination(row), config: placeOf(row.destination_config) },
    state: stateOfExport(row, facts),
    failing_since: failing === null ? null : formatInstant(failing),
    strip: letters,
    missing: states.filter((state) => state === 'missing').length,
    failed: states.filter((state) => state === 'failed').length,
    flagged: marks
      .filter(({ start }) => start >= strip.start && start < strip.end)
      .map(({ start, flags }) => ({ start: formatInstant(start), flags: [...flags] })),
    running: running && showRunning(running),
    records_by_hour: recordsByHour(runs, now),
    next_window: next && { start: formatInstant(next.start), end: formatInstant(next.end) },
  })
}

function stripPeriod({ interval }: Pick<OverviewRow, 'interval'>, now: number): Window {
  return endedPeriod(interval, now, stripLength)
}

/** Returns the start of the first hour that is summed; the current hour is the last. */
function firstHour(now: number): number {
  return endedPeriod('hour', now, hourCount - 1).start
}

/** Sums records by hour. If a window was exported more than once, only its newest run counts. */
function recordsByHour(runs: readonly WindowRun[], now: number): number[] {
  const sums = Array<number>(hourCount).fill(0)
  const first = firstHour(now)
  const completed = runs.filter(({ status, end }) => status === 'Completed' && end <= now)
  for (const [index, { start, end, records }] of completed.entries()) {
    const next = completed[index + 1]
    if (next?.start === start && next.end === end) continue
    if (end < first) continue
    const slot = countWindows('hour', first, windowAt('hour', end).start)
    sums[slot] = (sums[slot] ?? 0) + records
  }
  return sums
}

function showRunning(run: RunningRun): ExportOverview['running'] {
  const { id, started_at, records_completed, records_total_count } = run
  return { run: id, started_at: formatInstant(started_at), records_completed, records_total_count }
}

/** Returns a config without its lists, which can be long and which the overview does not show. */
function placeOf(config: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => !Array.isArray(value)))
}
