import type { WindowState } from '../../contract/runs/window-state.ts'

/** Describes the state of a window. */
export function windowStateInWords(state: WindowState): string {
  switch (state) {
    case 'completed':
      return 'completed'
    case 'short':
      return 'completed with too few rows'
    case 'failed':
      return 'failed'
    case 'running':
      return 'running'
    case 'waiting':
      return 'waiting for a worker'
    case 'due':
      return 'due, starts automatically'
    case 'missing':
      return 'missing'
    case 'paused':
      return 'skipped while paused'
    case 'before':
      return 'before the export started'
    case 'after':
      return 'after the export ended'
    case 'future':
      return 'not ended yet'
  }
}
