import { z } from 'zod'
import { Instant, InstantInput } from '../datetime.ts'
import { windowsBetween, type Window } from '../interval.ts'
import { Interval } from '../interval-schema.ts'
import { decodeStates, encodeStates, type WindowState } from './window-state.ts'

/** States that result from a run. */
const decidedByRun: ReadonlySet<WindowState> = new Set(['completed', 'short', 'failed', 'running', 'waiting'])

export const CoverageQuery = z.object({ start: InstantInput, end: InstantInput })

/**
 * All windows of a period, oldest first. `states` are run-length-encoded letters; `run_ids`, `records`, `durations`
 * (milliseconds) and `attempts` belong to the windows whose state results from a run. Read it with `decodeCoverage`.
 */
export const Coverage = z.object({
  interval: Interval,
  start: Instant,
  end: Instant,
  states: z.string(),
  run_ids: z.string(),
  records: z.array(z.int()),
  durations: z.array(z.int().nullable()),
  attempts: z.array(z.int()),
})
export type Coverage = z.infer<typeof Coverage>

/** The run that determines a window's state. `duration` is in milliseconds, null until the run has ended. */
export type DecidingRun = { id: string; records: number; duration: number | null; attempt: number }

/** A window's state, and the run that determined it; null when the state results from no run. */
export type WindowCoverage = { state: WindowState; run: DecidingRun | null }

/** Encodes the windows of a period compactly for the response. */
export function encodeCoverage(
  windows: readonly WindowCoverage[],
): Omit<Coverage, 'interval' | 'start' | 'end'> {
  const runs = windows.flatMap(({ state, run }) => (run && decidedByRun.has(state) ? [run] : []))
  return {
    states: runLengths(encodeStates(windows.map(({ state }) => state))),
    run_ids: runs.map(({ id }) => id.replaceAll('-', '')).join(''),
    records: runs.map(({ records }) => records),
    durations: runs.map(({ duration }) => duration),
    attempts: runs.map(({ attempt }) => attempt),
  }
}

/** Returns every window of a coverage with its bounds, oldest first. */
export function decodeCoverage(coverage: Coverage): (Window & WindowCoverage)[] {
  const { interval, start, end, records, durations, attempts } = coverage
  const states = expand(coverage.states)
  let decided = 0
  return windowsBetween(interval, Date.parse(start), Date.parse(end)).map((window, index) => {
    const state = states[index] ?? 'future'
    if (!decidedByRun.has(state)) return { start: window.start, end: window.end, state, run: null }
    const run: DecidingRun = {
      id: uuidAt(coverage.run_ids, decided * 32),
      records: records[decided] ?? 0,
      duration: durations[decided] ?? null,
      attempt: attempts[decided] ?? 0,
    }
    decided += 1
    return { start: window.start, end: window.end, state, run }
  })
}

/** Returns the id whose 32 digits begin at an index. A regular expression would take six times as long. */
function uuidAt(digits: string, from: number): string {
  const part = (start: number, end: number) => digits.slice(from + start, from + end)
  return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`
}

function runLengths(text: string): string {
  return text.replace(/(.)\1*/g, (run, letter: string) =>
    run.length > 1 ? `${run.length}${letter}` : letter,
  )
}

function expand(text: string): WindowState[] {
  return decodeStates(text.replace(/(\d+)(\D)/g, (_, length, letter: string) => letter.repeat(length)))
}
