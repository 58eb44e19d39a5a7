import { writeReason, type Reason } from '../runs/run-status.ts'

// Without schemas, because the first page needs these names and rules.
export const models = ['events', 'persons', 'recordings'] as const

/** Health of an export; states that need attention come first. */
export const exportStates = [
  'auto-paused',
  'failing',
  'paused',
  'running',
  'ended',
  'waiting',
  'healthy',
] as const

type State = { paused: boolean }

/** Reasons why an export's state or the key's scopes rule out an action. */
export const exportCan = {
  edit: (_: State, granted: readonly string[]): Reason => writeReason(granted),
  delete: (_: State, granted: readonly string[]): Reason => writeReason(granted),
  backfill: (_: State, granted: readonly string[]): Reason => writeReason(granted),
  pause: (state: State, granted: readonly string[]): Reason =>
    writeReason(granted) ?? (state.paused ? 'This batch export is already paused.' : null),
  unpause: (state: State, granted: readonly string[]): Reason =>
    writeReason(granted) ?? (state.paused ? null : 'This batch export is not paused.'),
}
