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
  /** The objects after an undo: "running again". */
  back: string
}

const words: Record<Exclude<BulkActionName, 'export_windows'>, Words> = {
  pause_batch_exports: { noun: 'export', doing: 'Pausing', done: 'Paused', back: 'running again' },
  unpause_batch_exports: { noun: 'export', doing: 'Unpausing', done: 'Unpaused', back: 'paused again' },
  delete_batch_exports: { noun: 'export', doing: 'Deleting', done: 'Deleted', back: 'restored' },
  cancel_runs: { noun: 'run', doing: 'Cancelling', done: 'Cancelled', back: 'queued again' },
  delete_recordings: { noun: 'recording', doing: 'Deleting', done: 'Deleted', back: 'restored' },
  keep_recordings: { noun: 'recording', doing: 'Keeping', done: 'Kept', back: 'no longer kept' },
  mark_recordings_viewed: {
    noun: 'recording',
    doing: 'Marking',
    done: 'Marked',
    after: 'as watched',
    back: 'marked as unwatched again',
  },
  mark_recordings_unviewed: {
    noun: 'recording',
    doing: 'Marking',
    done: 'Marked',
    after: 'as unwatched',
    back: 'marked as watched again',
  },
}

const notRetried = 'no longer being retried; written files stay'
const notBackfilled = 'no longer being backfilled; written files stay'

/** The words for `export_windows`, by what it exports. */
const windowWords: Record<NonNullable<BulkAction['windows']>, Words> = {
  of_runs: { noun: 'run', doing: 'Retrying', done: 'Retried', back: notRetried },
  failed: {
    noun: 'export',
    doing: 'Retrying the failed windows of',
    done: 'Retried the failed windows of',
    back: notRetried,
  },
  skipped: {
    noun: 'export',
    doing: 'Starting to fill the gap of',
    done: 'Started to fill the gap of',
    back: notBackfilled,
  },
  in_ranges: {
    noun: 'export',
    doing: 'Starting the backfill of',
    done: 'Started the backfill of',
    back: notBackfilled,
  },
}

function wordsOf({ action, windows }: BulkAction): Words {
  return action === 'export_windows' ? windowWords[windows ?? 'of_runs'] : words[action]
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
  return [verb, amount === 0 ? `no ${noun}s` : objects, after].filter((part) => part !== undefined).join(' ')
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
  const state = [lower(done), after].filter((part) => part !== undefined).join(' ')
  return `Nothing to change: ${counted(total, noun)} ${total === 1 ? 'was' : 'were'} already ${state}.`
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
  const parts = [failed > 0 && `${count(failed)} failed`, kept > 0 && `${count(kept)} not undone`].filter(
    Boolean,
  )
  return parts.length > 0 ? parts.join(', ') : null
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
