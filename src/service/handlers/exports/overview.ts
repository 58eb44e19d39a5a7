import { encodeStates } from '../../../contract/runs/window-state.ts'
import { failingSince } from '../../../contract/runs/failing-since.ts'
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
import { overviewRows, runningRuns, type OverviewRow, type RunningRun } from '../../store/runs/overview.ts'
import { readExpectations, type Expectation } from '../../store/windows/expectation.ts'
import { flaggedMarks } from '../../store/windows/ledger-marks.ts'
import { runsOfPeriods, type WindowRun } from '../../store/windows/window-runs.ts'
import { judgeWindows, type LedgerMark } from '../../store/windows/judge-windows.ts'
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

/** Returns all exports of the project, or of all projects that the key can access. The number of queries is constant. */
export async function overviewOfBatchExports(request: Request) {
  const { services, projects } = request
  const { store, clock } = services
  const now = clock.now()
  const projectIds = projects.map((project) => project.id)
  const rows = await overviewRows(store, projectIds)
  const wanted = rows.map((row) => ({
    id: row.id,
    start: Math.min(stripPeriod(row, now).start, firstHour(now)),
    end: now,
  }))
  const [runs, marks, expected, running, incidents, drifted] = await Promise.all([
    runsOfPeriods(store, wanted),
    flaggedMarks(store, wanted),
    readExpectations(store, rows, now),
    runningRuns(store, projectIds),
    sumUpIncidents(store, projectIds, hiddenKinds(request.caller)),
    driftedExports(services, projectIds),
  ])
  const results = expected.map(({ row, expectation }, index) => ({
    ...showOverview(row, now, {
      runs: runs[index] ?? [],
      marks: marks.get(row.id) ?? [],
      expectation,
      running: running.get(row.id) ?? null,
    }),
    ...(drifted.has(row.id) && { changed_since_apply: true as const }),
  }))
  const { open, changedAt } = incidents
  return {
    at: formatInstant(now),
    incidents: { open, changed_at: changedAt && formatInstant(changedAt) },
    results,
  }
}

function showOverview(row: OverviewRow, now: number, given: Facts): ExportOverview {
  const { runs, marks, expectation, running } = given
  const strip = stripPeriod(row, now)
  const windows = windowsBetween(row.interval, strip.start, strip.end)
  const states = judgeWindows(windows, runs, marks, expectation, now).map(({ state }) => state)
  const failing = failingSince(windows, states)
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
    strip: encodeStates(states),
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
