import { z } from 'zod'
import { Instant } from './datetime.ts'
import type { Scope } from './accounts/scopes.ts'

/** Objects of one bulk action; a filter that matches more is rejected. */
export const bulkItemsMax = 100_000
/** Time (ms) after its end during which a bulk action can be undone. Deleted recordings keep their content until then. */
export const undoMs = 5 * 60_000
/** Failures that a response lists. */
export const shownFailuresMax = 100

export const exportActions = ['pause_batch_exports', 'unpause_batch_exports', 'delete_batch_exports'] as const
export const runActions = ['export_windows', 'cancel_runs'] as const
export const recordingActions = [
  'delete_recordings',
  'keep_recordings',
  'mark_recordings_viewed',
  'mark_recordings_unviewed',
] as const
export const bulkActions = [...exportActions, ...runActions, ...recordingActions] as const
export type BulkActionName = (typeof bulkActions)[number]

export const bulkActionStatuses = ['Running', 'Completed', 'Cancelled', 'Undoing', 'Undone'] as const
export const BulkActionStatus = z.enum(bulkActionStatuses)
export type BulkActionStatus = z.infer<typeof BulkActionStatus>

/** Which windows `export_windows` exports again: those of runs, or of exports. */
export const exportedWindows = ['of_runs', 'failed', 'skipped', 'in_ranges'] as const

/** An action on many objects, which the service performs in the background. */
export const BulkAction = z.object({
  id: z.string(),
  action: z.enum(bulkActions),
  /** null for other actions than `export_windows`. */
  windows: z.enum(exportedWindows).nullable(),
  status: BulkActionStatus,
  total: z.int(),
  /** Objects processed without failure, including the `unchanged` ones, which needed no change. */
  done: z.int(),
  unchanged: z.int(),
  failed: z.int(),
  undone: z.int(),
  /** Changes that could not be undone, usually because the object has been changed since. */
  not_undone: z.int(),
  /** Name of the person or label of the key that started the action. */
  by: z.string(),
  created_at: Instant,
  finished_at: Instant.nullable(),
  /** Until when the finished action can be undone; null while it is in progress, and once it was undone. */
  undo_until: Instant.nullable(),
})
export type BulkAction = z.infer<typeof BulkAction>

/** A bulk action with its first failures. */
export const BulkActionDetails = BulkAction.extend({
  failures: z.array(z.object({ id: z.string(), name: z.string(), reason: z.string() })),
})

/** The scope that starting, cancelling or undoing an action requires. */
export function scopeOfAction(action: BulkActionName): Scope {
  return recordingActions.some((name) => name === action) ? 'session_recording:write' : 'batch_export:write'
}

/** Reasons why a bulk action's state rules out a request. */
export const bulkActionCan = {
  cancel: ({ status }: Pick<BulkAction, 'status'>): string | null =>
    status === 'Running' ? null : `Cannot cancel a bulk action that is in '${status}' status`,
  undo: ({ status, undo_until: until }: Pick<BulkAction, 'status' | 'undo_until'>, now: number) => {
    if (status === 'Undoing' || status === 'Undone') return 'This bulk action has been undone already.'
    if (until !== null && Date.parse(until) <= now)
      return `It is too late to undo this bulk action: the deadline was ${until}.`
    return null
  },
}
