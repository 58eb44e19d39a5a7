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
import { codesOf, failedSince, includesState } from '../../store/windows/state-letters.ts'
import { stateOfExport } from '../exports/state-of-export.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const cellMs = healthCellHours * hourMs
const cellCount = (healthDays * 24) / healthCellHours

/** `first`: start (ms) of the window of the first of its states; each of the others follows after `length` (ms). */
export type HealthExport = HealthRow & { state: ExportOverview['state']; first: number; length: number }

export function healthExport(row: HealthRow, now: number): HealthExport {
  const { interval, states } = row
  const facts = {
    failing: failedSince(states) !== -1,
    running: includesState(states, 'running', 'waiting'),
    hasRun: row.has_run,
    next: row.paused ? null : upcomingWindow(scheduleOf(row), now, row.scheduled_until.getTime()),
  }
  // The states are those of the last windows that start until the end of the day.
  const until = (Math.floor(now / dayMs) + 1) * dayMs
  const length = intervalLength(interval)
  const first = windowAt(interval, until - 1).start - (states.length - 1) * length
  return { ...row, state: stateOfExport(row, facts), first, length }
}

/** An ended window in another state should have been exported. */
const undecided = codesOf(['paused', 'before', 'after', 'future'])
const repairable = codesOf(statesToRepair)
const missing = codesOf(['missing'])

/** Draws the last days of all exports in cells; the last cell contains `now`. */
export function healthStrip(exports: readonly HealthExport[], now: number) {
  const start = (Math.floor(now / cellMs) + 1 - cellCount) * cellMs
  const windows = Array<number>(cellCount).fill(0)
  const toRepair = Array<number>(cellCount).fill(0)
  for (const { states, first, length } of exports)
    for (let index = 0; index < states.length; index += 1) {
      const cell = Math.floor((first + (index + 1) * length - 1 - start) / cellMs)
      const code = states.charCodeAt(index)
      // After an edit of the interval, a run of an earlier length may decide a window that has not ended.
      if (cell < 0 || cell >= cellCount || undecided.has(code)) continue
      windows[cell] = (windows[cell] ?? 0) + 1
      if (repairable.has(code)) toRepair[cell] = (toRepair[cell] ?? 0) + 1
    }
  return { start, windows, to_repair: toRepair }
}

/** Returns the missing windows that ended after a time, oldest first. */
export function gapsSince({ states, first, length }: HealthExport, since: number): Window[] {
  const gaps: Window[] = []
  for (let index = Math.max(0, Math.floor((since - first) / length)); index < states.length; index += 1) {
    const start = first + index * length
    if (missing.has(states.charCodeAt(index)) && start + length > since)
      gaps.push({ start, end: start + length })
  }
  return gaps
}

/** Returns the exports that need attention first: those that fail or paused themselves, then those with the most windows to repair. */
export function mostUrgent(exports: readonly HealthExport[]) {
  const shown = exports.toSorted((a, b) => urgencyOf(b) - urgencyOf(a)).slice(0, healthExportsMax)
  return shown.map(({ id, name, state, to_repair }) => ({ id, name, state, to_repair }))
}

function urgencyOf({ state, to_repair: toRepair }: HealthExport): number {
  return (state === 'failing' || state === 'auto-paused' ? 2e9 : 0) + toRepair
}
