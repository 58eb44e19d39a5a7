import type { WindowCoverage, WindowState } from '../../../contract/coverage.ts'
import type { Window } from '../../../contract/interval.ts'

export type CoveredWindow = Window & WindowCoverage

/** States of windows whose rows are not all at the destination, and that nothing will export by itself. */
const unexported: ReadonlySet<WindowState> = new Set([
  'missing',
  'failed',
  'short',
  'paused',
  'before',
  'after',
])

/** States that someone wants to know about and mend. */
export const holes: ReadonlySet<WindowState> = new Set(['missing', 'failed', 'short'])

export type SelectionSummary = {
  /** How many windows there are of each state, the states in the order of their first window. */
  states: ReadonlyMap<WindowState, number>
  /** The windows that a backfill would bring something new to. */
  needy: readonly CoveredWindow[]
  /** Records of the completed windows, which would be sent once more. */
  recordsAgain: number
}

export function summarizeSelection(windows: readonly CoveredWindow[]): SelectionSummary {
  const states = new Map<WindowState, number>()
  for (const { state } of windows) states.set(state, (states.get(state) ?? 0) + 1)
  return {
    states,
    needy: windows.filter(({ state }) => unexported.has(state)),
    recordsAgain: windows.reduce(
      (sum, { state, run }) => (state === 'completed' ? sum + (run?.records ?? 0) : sum),
      0,
    ),
  }
}

/** The fewest ranges that hold exactly these windows, oldest first. */
export function mergeWindows(windows: readonly Window[]): Window[] {
  const ranges: Window[] = []
  for (const { start, end } of windows.toSorted((a, b) => a.start - b.start)) {
    const last = ranges.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else ranges.push({ start, end })
  }
  return ranges
}

/** The windows from one to another, whichever comes first; those that a backfill cannot reach yet are left out. */
export function windowsFromTo(
  windows: readonly CoveredWindow[],
  from: number,
  to: number,
): readonly CoveredWindow[] {
  return windows.slice(Math.min(from, to), Math.max(from, to) + 1).filter(isSelectable)
}

/** What has not ended has nothing to backfill yet. */
export function isSelectable({ state }: WindowCoverage): boolean {
  return state !== 'future'
}
