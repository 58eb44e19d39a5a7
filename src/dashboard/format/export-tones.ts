import type { ExportState } from './export-state.ts'
import type { Tone } from './run-status.ts'

/** The tone in which each state of an export is shown. */
export const exportTones: Record<ExportState, Tone> = {
  failing: 'failed',
  running: 'running',
  healthy: 'ok',
  waiting: 'quiet',
  paused: 'paused',
  'auto-paused': 'stopped',
  ended: 'quiet',
}

/** Whether an export in this state needs a user to act. */
export function needsAttention(state: ExportState): boolean {
  return state === 'failing' || state === 'auto-paused'
}
