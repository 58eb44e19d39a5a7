import { expect, test } from 'vitest'
import type { BulkAction } from '../../contract/bulk-action.ts'
import { bulkActionInWords, bulkActionNotes, bulkFailuresInWords } from './bulk-action.ts'

function action(given: Partial<BulkAction>): BulkAction {
  return {
    id: 'a',
    action: 'pause_batch_exports',
    status: 'Completed',
    total: 1008,
    done: 1008,
    unchanged: 0,
    failed: 0,
    undone: 0,
    not_undone: 0,
    by: 'A key',
    created_at: '2026-03-04T10:00:00Z',
    finished_at: null,
    undo_until: null,
    ...given,
  }
}

test.each([
  [{ status: 'Running', done: 327 }, 'Pausing 1,008 exports'],
  [{}, 'Paused 1,008 exports.'],
  [{ status: 'Cancelled', done: 327 }, 'Stopped: paused 327 exports of 1,008.'],
  [{ status: 'Undoing' }, 'Undoing: paused 1,008 exports'],
  [{ status: 'Undone', undone: 1 }, 'Undone: paused 1 export.'],
  [{ action: 'mark_recordings_viewed', total: 1, done: 1 }, 'Marked 1 recording as watched.'],
  [
    { action: 'retry_failed_runs', total: 9, done: 9, unchanged: 9 },
    'Nothing to retry: 9 exports have no failed windows.',
  ],
  [{ total: 1, done: 1, unchanged: 1 }, 'Nothing to change: 1 export was already paused.'],
  [
    { action: 'mark_recordings_viewed', total: 3, done: 3, unchanged: 3 },
    'Nothing to change: 3 recordings were already marked as watched.',
  ],
] as const)('%j: %s', (given, text) => {
  expect(bulkActionInWords(action(given))).toBe(text)
})

test('counts only the exports that a retry changed, and notes the others', () => {
  const retry = action({ action: 'retry_failed_runs', total: 10, done: 10, unchanged: 9 })
  expect(bulkActionInWords(retry)).toBe('Retried the failed windows of 1 export.')
  expect(bulkActionNotes(retry)).toBe('9 needed no change.')
})

test('names failures', () => {
  expect(bulkFailuresInWords(action({ failed: 2, not_undone: 1 }))).toBe('2 failed, 1 not undone')
  expect(bulkFailuresInWords(action({}))).toBeNull()
})
