import type { BulkAction, BulkActionName } from '../../contract/bulk-action.ts'
import { count, counted } from './amount.ts'

type Words = {
  noun: 'export' | 'run' | 'recording'
  /** "Pausing" */
  doing: string
  /** "Paused" */
  done: string
  /** Follows the noun: " as watched". */
  after: string
  /** The objects after an undo: "running again". */
  back: string
}

function words(noun: Words['noun'], doing: string, done: string, back: string, after = ''): Words {
  return { noun, doing, done, back, after }
}

const actionWords: Record<Exclude<BulkActionName, 'export_windows'>, Words> = {
  pause_batch_exports: words('export', 'Pausing', 'Paused', 'running again'),
  unpause_batch_exports: words('export', 'Unpausing', 'Unpaused', 'paused again'),
  delete_batch_exports: words('export', 'Deleting', 'Deleted', 'restored'),
  cancel_runs: words('run', 'Cancelling', 'Cancelled', 'queued again'),
  delete_recordings: words('recording', 'Deleting', 'Deleted', 'restored'),
  keep_recordings: words('recording', 'Keeping', 'Kept', 'no longer kept'),
  mark_recordings_viewed: words('recording', 'Marking', 'Marked', 'marked as unwatched again', ' as watched'),
  mark_recordings_unviewed: words(
    'recording',
    'Marking',
    'Marked',
    'marked as watched again',
    ' as unwatched',
  ),
}

const notRetried = 'no longer being retried; written files stay'
const notBackfilled = 'no longer being backfilled; written files stay'

/** The words for `export_windows`, by what it exports. */
const windowWords: Record<NonNullable<BulkAction['windows']>, Words> = {
  of_runs: words('run', 'Retrying', 'Retried', notRetried),
  failed: words('export', 'Retrying the failed windows of', 'Retried the failed windows of', notRetried),
  skipped: words('export', 'Starting to fill the gap of', 'Started to fill the gap of', notBackfilled),
  in_ranges: words('export', 'Starting the backfill of', 'Started the backfill of', notBackfilled),
}

function wordsOf({ action, windows }: BulkAction): Words {
  return action === 'export_windows' ? windowWords[windows ?? 'of_runs'] : actionWords[action]
}

/** Whether an action changes recordings rather than exports or runs. */
export function isOnRecordings(action: BulkAction): boolean {
  return wordsOf(action).noun === 'recording'
}

/** Returns how many objects an action in progress has processed, and of how many. */
export function bulkActionProgress(action: BulkAction): { value: number; max: number } {
  const { status, total, done, failed, undone, unchanged, not_undone: notUndone } = action
  return status === 'Undoing'
    ? { value: undone + notUndone, max: done - unchanged }
    : { value: done + failed, max: total }
}

/** Says what a bulk action is doing, or what holds since it ended: "Pausing 1,008 exports", "Paused 3 of 5 exports." */
export function bulkActionInWords(action: BulkAction): string {
  const { doing, done } = wordsOf(action)
  const { total, failed } = action
  const changed = action.done - action.unchanged
  switch (action.status) {
    case 'Running':
      return sentence(action, doing, total)
    case 'Completed':
      if (changed === 0 && failed === 0) return nothingToDo(action)
      return `${sentence(action, done, changed, changed + failed)}.`
    case 'Cancelled':
      return `Cancelled: ${lower(sentence(action, done, changed, total))}.`
    case 'Undoing':
      return `Undoing: ${lower(sentence(action, doing, total))}`
    case 'Undone':
      return undoneInWords(action)
  }
}

/** Returns a text such as "Paused 3 of 5 exports". */
function sentence(action: BulkAction, verb: string, amount: number, of = amount): string {
  const { noun, after } = wordsOf(action)
  const objects = amount === of ? counted(amount, noun) : `${count(amount)} of ${counted(of, noun)}`
  return `${verb} ${amount === 0 ? `no ${noun}s` : objects}${after}`
}

function undoneInWords(action: BulkAction): string {
  const { undone, not_undone: kept } = action
  const { noun, back } = wordsOf(action)
  const parts = [
    undone > 0 && `${counted(undone, noun)} ${undone === 1 ? 'is' : 'are'} ${back}`,
    kept > 0 && `${counted(kept, noun)} could not be changed back`,
  ].filter(Boolean)
  return `${parts.join('; ') || 'Nothing was changed'}.`
}

function nothingToDo(action: BulkAction): string {
  const { total, windows } = action
  const { noun, done, after } = wordsOf(action)
  if (total === 0) return `Nothing to change: no ${noun}s match.`
  const have = `${counted(total, noun)} ${total === 1 ? 'has' : 'have'}`
  if (windows === 'failed') return `Nothing to retry: ${have} no failed windows.`
  if (windows === 'skipped') return `Nothing to backfill: ${have} no gap.`
  return `Nothing to change: ${counted(total, noun)} ${total === 1 ? 'was' : 'were'} already ${lower(done)}${after}.`
}

/** Returns a note on the objects that a bulk action left alone: "12 needed no change."; null if there is nothing to note. */
export function bulkActionNotes(action: BulkAction): string | null {
  const { status, done, unchanged, total, failed } = action
  if (status === 'Completed' && unchanged > 0 && unchanged < done)
    return `${count(unchanged)} needed no change.`
  const left = total - failed - (done - unchanged)
  if (status !== 'Undone' || left === 0 || left === total - failed) return null
  return left === 1 ? '1 stayed as it was.' : `${count(left)} stayed as they were.`
}

/** Returns how many objects failed, as a label; null if none did. */
export function bulkFailuresInWords({ failed, not_undone: kept }: BulkAction): string | null {
  const parts = [failed > 0 && `${count(failed)} failed`, kept > 0 && `${count(kept)} not undone`]
  return parts.filter(Boolean).join(', ') || null
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
