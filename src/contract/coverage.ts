import { z } from 'zod'
import { Instant, InstantInput } from './instant.ts'
import { Interval, windowsBetween, type Window } from './interval.ts'

/**
 * What became of a window. `short`: completed with fewer records than there were; `waiting`: its run has not begun, or waits for
 * its next attempt; `due`: it has ended and gets its run by itself; `missing`: it has ended and nothing will export it;
 * `paused`: skipped by a pause; `before` and `after`: outside of the export's life; `future`: it has not ended.
 */
export const windowStates = [
  'completed',
  'short',
  'failed',
  'running',
  'waiting',
  'due',
  'missing',
  'paused',
  'before',
  'after',
  'future',
] as const
export type WindowState = (typeof windowStates)[number]

const letters: Record<WindowState, string> = {
  completed: 'c',
  short: 's',
  failed: 'f',
  running: 'r',
  waiting: 'w',
  due: 'd',
  missing: 'm',
  paused: 'p',
  before: 'b',
  after: 'a',
  future: 'u',
}
const stateOf = new Map(windowStates.map((state) => [letters[state], state]))

/** States that a run has brought about. */
const decidedByRun: ReadonlySet<WindowState> = new Set(['completed', 'short', 'failed', 'running', 'waiting'])

/** The most windows that one request shows. */
export const coverageWindowsMax = 10_500

export const CoverageQuery = z.object({ start: InstantInput, end: InstantInput })

/**
 * All windows of a period, oldest first. `states` are run lengths with letters; `run_ids`, `records`, `durations` (milliseconds)
 * and `attempts` are of the windows that a run decides, in their order. Read it with `decodeCoverage`.
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

/** The run that decides a window's state; its duration in milliseconds, null until it has ended. */
export type DecidingRun = { id: string; records: number; duration: number | null; attempt: number }

/** What is known of one window; a run is there exactly when it has decided the state. */
export type WindowCoverage = { state: WindowState; run: DecidingRun | null }

/** Packs the windows of a period for the way. */
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

/** Every window of a coverage with its bounds, oldest first. */
export function decodeCoverage(coverage: Coverage): (Window & WindowCoverage)[] {
  const { interval, start, end, run_ids, records, durations, attempts } = coverage
  const states = expand(coverage.states)
  let decided = 0
  return windowsBetween(interval, Date.parse(start), Date.parse(end)).map((window, index) => {
    const state = states[index] ?? 'future'
    if (!decidedByRun.has(state)) return { ...window, state, run: null }
    const run: DecidingRun = {
      id: withDashes(run_ids.slice(decided * idDigits, (decided + 1) * idDigits)),
      records: records[decided] ?? 0,
      duration: durations[decided] ?? null,
      attempt: attempts[decided] ?? 0,
    }
    decided += 1
    return { ...window, state, run }
  })
}

/** One letter for each state. */
export function encodeStates(states: readonly WindowState[]): string {
  return states.map((state) => letters[state]).join('')
}

/** The states of a text of letters; an unknown letter, of a newer service, is passed over as `future`. */
export function decodeStates(text: string): WindowState[] {
  return Array.from(text, (letter) => stateOf.get(letter) ?? 'future')
}

function runLengths(text: string): string {
  return text.replace(/(.)\1*/g, (run, letter: string) =>
    run.length > 1 ? `${run.length}${letter}` : letter,
  )
}

function expand(text: string): WindowState[] {
  return decodeStates(
    text.replace(/(\d+)(\D)/g, (_, length: string, letter: string) => letter.repeat(Number(length))),
  )
}

const idDigits = 32

function withDashes(digits: string): string {
  const part = (from: number, until: number) => digits.slice(from, until)
  return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`
}
