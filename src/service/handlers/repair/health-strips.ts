import { decodeStates, type WindowState } from '../../../contract/runs/window-state.ts'
import { failingSince } from '../../../contract/runs/failing-since.ts'
import { intervalLength, windowAt, type Window } from '../../../contract/interval.ts'
import type { ExportOverview } from '../../../contract/exports/overview.ts'
import {
  healthCellHours,
  healthDays,
  healthExportsMax,
  statesToRepair,
} from '../../../contract/repair/project-health.ts'
import { scheduleOf, upcomingWindow } from '../../../contract/exports/schedule.ts'
import type { HealthRow } from '../../store/windows/project-health.ts'
import { stateOfExport } from '../exports/state-of-export.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const cellMs = healthCellHours * hourMs
const cellCount = (healthDays * 24) / healthCellHours

/** An export's windows of the last days with their states, oldest first. */
export type HealthExport = HealthRow & {
  state: ExportOverview['state']
  recent: readonly (Window & { state: WindowState })[]
}

export function healthExport(row: HealthRow, now: number): HealthExport {
  const recent = recentWindows(row, decodeStates(row.states), now)
  const states = recent.map(({ state }) => state)
  const facts = {
    failing: failingSince(recent, states) !== null,
    running: states.includes('running') || states.includes('waiting'),
    hasRun: row.has_run,
    next: row.paused ? null : upcomingWindow(scheduleOf(row), now, row.scheduled_until.getTime()),
  }
  return { ...row, state: stateOfExport(row, facts), recent }
}

/** Returns the windows that the states belong to: the last ones of those that start until the end of the day. */
function recentWindows({ interval }: HealthRow, states: readonly WindowState[], now: number) {
  const until = (Math.floor(now / dayMs) + 1) * dayMs
  const length = intervalLength(interval)
  const first = windowAt(interval, until - 1).start - (states.length - 1) * length
  return states.map((state, index) => ({
    start: first + index * length,
    end: first + (index + 1) * length,
    state,
  }))
}

/** Draws the last days of all exports in cells; the last cell contains `now`. */
export function healthStrip(exports: readonly HealthExport[], now: number) {
  const start = (Math.floor(now / cellMs) + 1 - cellCount) * cellMs
  const cellAt = (time: number) => Math.floor((time - start) / cellMs)
  const windows = Array<number>(cellCount).fill(0)
  const toRepair = Array<number>(cellCount).fill(0)
  for (const { recent } of exports)
    for (const { end, state } of recent) {
      const cell = cellAt(end - 1)
      // After an edit of the interval, a run of an earlier length may decide a window that has not ended.
      if (cell < 0 || cell >= cellCount || !isDecided(state)) continue
      windows[cell] = (windows[cell] ?? 0) + 1
      if (statesToRepair.has(state)) toRepair[cell] = (toRepair[cell] ?? 0) + 1
    }
  return { start, windows, to_repair: toRepair }
}

/** Whether an ended window should have been exported. */
function isDecided(state: WindowState): boolean {
  return !['paused', 'before', 'after', 'future'].includes(state)
}

/** Returns the exports that need attention first: those that fail or paused themselves, then those with the most windows to repair. */
export function mostUrgent(exports: readonly HealthExport[]) {
  const shown = exports.toSorted((a, b) => urgencyOf(b) - urgencyOf(a)).slice(0, healthExportsMax)
  return shown.map(({ id, name, state, to_repair }) => ({ id, name, state, to_repair }))
}

function urgencyOf({ state, to_repair: toRepair }: HealthExport): number {
  return (state === 'failing' || state === 'auto-paused' ? 2e9 : 0) + toRepair
}
