import type { BulkAction, BulkActionName } from '../../contract/bulk-action.ts'
import { count, counted } from './amount.ts'

type Words = {
  noun: 'export' | 'run' | 'recording'
  /** "Pausing" */
  doing: string
  /** "Paused" */
  done: string
  /** Follows the noun: "as watched". */
  after?: string
}

const words: Record<BulkActionName, Words> = {
  pause_batch_exports: { noun: 'export', doing: 'Pausing', done: 'Paused' },
  unpause_batch_exports: { noun: 'export', doing: 'Unpausing', done: 'Unpaused' },
  delete_batch_exports: { noun: 'export', doing: 'Deleting', done: 'Deleted' },
  retry_failed_runs: {
    noun: 'export',
    doing: 'Retrying the failed windows of',
    done: 'Retried the failed windows of',
  },
  backfill_batch_exports: {
    noun: 'export',
    doing: 'Starting the backfill of',
    done: 'Started the backfill of',
  },
  retry_runs: { noun: 'run', doing: 'Retrying', done: 'Retried' },
  cancel_runs: { noun: 'run', doing: 'Cancelling', done: 'Cancelled' },
  delete_recordings: { noun: 'recording', doing: 'Deleting', done: 'Deleted' },
  keep_recordings: { noun: 'recording', doing: 'Keeping', done: 'Kept' },
  mark_recordings_viewed: { noun: 'recording', doing: 'Marking', done: 'Marked', after: 'as watched' },
  mark_recordings_unviewed: { noun: 'recording', doing: 'Marking', done: 'Marked', after: 'as unwatched' },
}

/** Says what a bulk action is doing, or has done: "Pausing 1,008 exports", "Paused 3 exports." */
export function bulkActionInWords(action: BulkAction): string {
  const { noun, doing, done, after } = words[action.action]
  const text = (verb: string, amount: number) =>
    [verb, counted(amount, noun), after].filter((part) => part !== undefined).join(' ')
  const changed = action.done - action.unchanged
  switch (action.status) {
    case 'Running':
      return text(doing, action.total)
    case 'Completed':
      return changed === 0 && action.failed === 0 ? nothingToDo(action) : `${text(done, changed)}.`
    case 'Cancelled':
      return `Stopped: ${lower(text(done, changed))} of ${count(action.total)}.`
    case 'Undoing':
      return `Undoing: ${lower(text(done, changed))}`
    case 'Undone':
      return `Undone: ${lower(text(done, action.undone))}.`
  }
}

function nothingToDo({ action, total }: BulkAction): string {
  const { noun, done, after } = words[action]
  if (action === 'retry_failed_runs')
    return `Nothing to retry: ${counted(total, noun)} ${total === 1 ? 'has' : 'have'} no failed windows.`
  const state = [lower(done), after].filter((part) => part !== undefined).join(' ')
  return `Nothing to change: ${counted(total, noun)} ${total === 1 ? 'was' : 'were'} already ${state}.`
}

/** Returns a note on a bulk action's result: "12 needed no change."; null if there is nothing to note. */
export function bulkActionNotes({ status, done, unchanged }: BulkAction): string | null {
  if (status !== 'Completed' || unchanged === 0 || unchanged === done) return null
  return `${count(unchanged)} needed no change.`
}

/** Returns how many objects failed, as a label; null if none did. */
export function bulkFailuresInWords({ failed, not_undone: kept }: BulkAction): string | null {
  const parts = [failed > 0 && `${count(failed)} failed`, kept > 0 && `${count(kept)} not undone`].filter(
    Boolean,
  )
  return parts.length > 0 ? parts.join(', ') : null
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
