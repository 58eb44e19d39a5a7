import { expect, test } from 'vitest'
import type { BulkAction } from '../../contract/bulk-action.ts'
import { bulkActionInWords, bulkActionNotes, bulkFailuresInWords } from './bulk-action.ts'

function action(given: Partial<BulkAction>): BulkAction {
  return {
    id: 'a',
    action: 'pause_batch_exports',
    windows: null,
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
  [{ done: 3, failed: 2 }, 'Paused 3 of 5 exports.'],
  [{ done: 0, failed: 1 }, 'Paused no exports.'],
  [{ total: 0, done: 0 }, 'Nothing to change: no exports match.'],
  [{ status: 'Cancelled', done: 327 }, 'Cancelled: paused 327 of 1,008 exports.'],
  [{ status: 'Cancelled', done: 0 }, 'Cancelled: paused no exports.'],
  [{ status: 'Undoing' }, 'Undoing: pausing 1,008 exports'],
  [{ status: 'Undone', done: 0 }, 'Nothing was changed.'],
  [
    { status: 'Undone', undone: 3, not_undone: 1 },
    '3 exports are running again; 1 export could not be changed back.',
  ],
  [{ status: 'Undone', not_undone: 2 }, '2 exports could not be changed back.'],
  [{ action: 'mark_recordings_viewed', total: 1, done: 1 }, 'Marked 1 recording as watched.'],
  [
    { action: 'export_windows', windows: 'failed', total: 9, done: 9, unchanged: 9 },
    'Nothing to retry: 9 exports have no failed windows.',
  ],
  [
    { action: 'export_windows', windows: 'skipped', total: 1, done: 1, unchanged: 1 },
    'Nothing to backfill: 1 export has no gap.',
  ],
  [{ total: 1, done: 1, unchanged: 1 }, 'Nothing to change: 1 export was already paused.'],
  [
    { action: 'mark_recordings_viewed', total: 3, done: 3, unchanged: 3 },
    'Nothing to change: 3 recordings were already marked as watched.',
  ],
] as const)('%j: %s', (given, text) => {
  expect(bulkActionInWords(action(given))).toBe(text)
})

test.each([
  ['pause_batch_exports', 'export', 'running again'],
  ['unpause_batch_exports', 'export', 'paused again'],
  ['delete_batch_exports', 'export', 'restored'],
  ['cancel_runs', 'run', 'queued again'],
  ['delete_recordings', 'recording', 'restored'],
  ['keep_recordings', 'recording', 'no longer kept'],
  ['mark_recordings_viewed', 'recording', 'marked as unwatched again'],
  ['mark_recordings_unviewed', 'recording', 'marked as watched again'],
] as const)('after an undo of %s, one %s or more are %s', (name, noun, back) => {
  const undone = { action: name, status: 'Undone' } as const
  expect(bulkActionInWords(action({ ...undone, undone: 1 }))).toBe(`1 ${noun} is ${back}.`)
  expect(bulkActionInWords(action({ ...undone, undone: 5 }))).toBe(`5 ${noun}s are ${back}.`)
})

test.each([
  ['of_runs', 'run', 'retried'],
  ['failed', 'export', 'retried'],
  ['skipped', 'export', 'backfilled'],
  ['in_ranges', 'export', 'backfilled'],
] as const)(
  'after an undo of the export of windows %s, one %s or more are no longer %s',
  (windows, noun, participle) => {
    const undone = { action: 'export_windows', windows, status: 'Undone' } as const
    const back = `no longer being ${participle}; written files stay.`
    expect(bulkActionInWords(action({ ...undone, undone: 1 }))).toBe(`1 ${noun} is ${back}`)
    expect(bulkActionInWords(action({ ...undone, undone: 5 }))).toBe(`5 ${noun}s are ${back}`)
  },
)

test('notes how many objects an undone action had left alone', () => {
  const undone = { status: 'Undone', total: 5, failed: 1 } as const
  expect(bulkActionNotes(action({ ...undone, done: 2, undone: 2 }))).toBe('2 stayed as they were.')
  expect(bulkActionNotes(action({ ...undone, done: 4, unchanged: 1 }))).toBe('1 stayed as it was.')
  expect(bulkActionNotes(action({ ...undone, done: 4 }))).toBeNull()
  expect(bulkActionNotes(action({ ...undone, done: 0 }))).toBeNull()
})

test('counts only the exports that a retry changed, and notes the others', () => {
  const retry = action({ action: 'export_windows', windows: 'failed', total: 10, done: 10, unchanged: 9 })
  expect(bulkActionInWords(retry)).toBe('Retried the failed windows of 1 export.')
  expect(bulkActionNotes(retry)).toBe('9 needed no change.')
})

test('names failures', () => {
  expect(bulkFailuresInWords(action({ failed: 2, not_undone: 1 }))).toBe('2 failed, 1 not undone')
  expect(bulkFailuresInWords(action({}))).toBeNull()
})
