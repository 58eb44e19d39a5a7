import type { WindowCoverage } from '../../../contract/runs/coverage.ts'
import type { WindowState } from '../../../contract/runs/window-state.ts'
import type { Window } from '../../../contract/interval.ts'
import { count } from '../../format/amount.ts'

export type CoveredWindow = Window & WindowCoverage

/** States of windows whose rows are not all at the destination, and that will not be exported automatically. */
const unexported: ReadonlySet<WindowState> = new Set([
  'missing',
  'failed',
  'short',
  'paused',
  'before',
  'after',
])

/** States of windows that need repair. */
export const gapStates: ReadonlySet<WindowState> = new Set(['missing', 'failed', 'short'])

export function summarizeSelection(windows: readonly CoveredWindow[]) {
  const states = Map.groupBy(windows, ({ state }) => state)
  const completed = states.get('completed') ?? []
  return {
    /** The windows of each state, in the order in which the states occur. */
    states,
    /** Windows for which a backfill would export something new. */
    needingBackfill: windows.filter(({ state }) => unexported.has(state)),
    /** Records of the completed windows, which a backfill would send again. */
    recordsResent: completed.reduce((sum, { run }) => sum + (run?.records ?? 0), 0),
  }
}

/** Names windows that need a backfill by their states: `4 that need it`, `13 skipped`, `5 that are not complete`. */
export function backfilledInWords(windows: readonly WindowCoverage[]): string {
  const amount = count(windows.length)
  if (windows.every(({ state }) => state === 'paused')) return `${amount} skipped`
  const isOne = windows.length === 1
  if (windows.every(({ state }) => gapStates.has(state)))
    return `${amount} that ${isOne ? 'needs' : 'need'} it`
  return `${amount} that ${isOne ? 'is' : 'are'} not complete`
}

/** Returns the fewest ranges that cover exactly these windows, oldest first. */
export function mergeWindows(windows: readonly Window[]): Window[] {
  const ranges: Window[] = []
  for (const { start, end } of windows.toSorted((a, b) => a.start - b.start)) {
    const last = ranges.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else ranges.push({ start, end })
  }
  return ranges
}

/** Returns the selectable windows between two indexes, both included, in either order. */
export function windowsFromTo(windows: readonly CoveredWindow[], from: number, to: number) {
  return windows.slice(Math.min(from, to), Math.max(from, to) + 1).filter(isSelectable)
}

/** Whether a window can be selected: a future window has nothing to backfill yet. */
export function isSelectable({ state }: WindowCoverage): boolean {
  return state !== 'future'
}
