import type { Zone } from '../../words/preferences.ts'
import { counted } from '../../words/amount.ts'
import { duration, windowInWords } from '../../words/time.ts'
import { windowStateInWords } from '../../words/window-state.ts'
import type { CoveredWindow } from './window-selection.ts'

/** When a window was and what became of it: state, rows, duration, attempt. */
export function windowFacts(window: CoveredWindow, zone: Zone, now: number): { time: string; facts: string } {
  const { state, run } = window
  const facts = [windowStateInWords(state)]
  if (run) {
    if (state !== 'waiting') facts.push(counted(run.records, 'row'))
    if (run.duration !== null) facts.push(duration(run.duration))
    if (run.attempt > 1) facts.push(`attempt ${run.attempt}`)
  }
  return { time: windowInWords(window, zone, now), facts: facts.join(', ') }
}
