import type { WindowState } from '../../contract/coverage.ts'

/** What became of a window, as people say it. */
export function windowStateInWords(state: WindowState): string {
  switch (state) {
    case 'completed':
      return 'completed'
    case 'short':
      return 'completed, short of rows'
    case 'failed':
      return 'failed'
    case 'running':
      return 'running'
    case 'waiting':
      return 'waiting for a worker'
    case 'due':
      return 'due, starts by itself'
    case 'missing':
      return 'missing'
    case 'paused':
      return 'skipped by a pause'
    case 'before':
      return 'before it began'
    case 'after':
      return 'after its end'
    case 'future':
      return 'not over yet'
  }
}
