import type { WindowState } from './window-state.ts'
import type { Window } from '../interval.ts'

/** Returns the start of the first failed window since the last completed one; null if none has failed since. */
export function failingSince(windows: readonly Window[], states: readonly WindowState[]): number | null {
  const lastGood = states.findLastIndex((state) => state === 'completed' || state === 'short')
  const first = states.indexOf('failed', lastGood + 1)
  return windows[first]?.start ?? null
}
