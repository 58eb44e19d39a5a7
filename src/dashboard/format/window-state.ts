import type { WindowState } from '../../contract/runs/window-state.ts'

const words: Record<WindowState, string> = {
  completed: 'completed',
  short: 'completed with too few rows',
  failed: 'failed',
  running: 'running',
  waiting: 'waiting for a worker',
  due: 'due, starts automatically',
  missing: 'missing',
  paused: 'skipped while paused',
  before: 'before the export started',
  after: 'after the export ended',
  future: 'not ended yet',
}

/** Describes the state of a window. */
export function windowStateInWords(state: WindowState): string {
  return words[state]
}
