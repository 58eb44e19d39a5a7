import { expect, test } from 'vitest'
import { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { possibleRows, reasonAgainst } from '../../ui/list/list-action.ts'
import { recordingActions } from './actions.ts'

function recording(given: Partial<SessionRecording>): SessionRecording {
  return SessionRecording.parse({
    id: 'session',
    distinct_id: 'ada',
    viewed: '',
    recording_duration: 60,
    active_seconds: 40,
    inactive_seconds: 20,
    start_time: '2026-03-04T12:00:00Z',
    end_time: '2026-03-04T12:01:00Z',
    click_count: 1,
    keypress_count: 0,
    mouse_activity_count: 0,
    console_log_count: 0,
    console_warn_count: 0,
    console_error_count: 0,
    start_url: 'https://shop.example/',
    person: { id: null, name: null, distinct_ids: '[]', properties: {}, created_at: null, uuid: null },
    storage: 'object_storage',
    snapshot_source: 'web',
    ongoing: false,
    activity: [],
    dropped_events: 0,
    failed_request_count: 0,
    facts: null,
    shared: false,
    note_count: 0,
    ...given,
  })
}

const fresh = recording({ id: 'fresh' })
const watched = recording({ id: 'watched', viewed: '2026-03-04T13:00:00Z' })
const kept = recording({ id: 'kept', storage: 'object_storage_lts' })

test('performs an action on the recordings for which it is possible', () => {
  const ids = (name: keyof typeof recordingActions) =>
    possibleRows(recordingActions[name], [fresh, watched, kept], ['*']).map(({ id }) => id)
  expect(ids('keep')).toEqual(['fresh', 'watched'])
  expect(ids('watched')).toEqual(['fresh', 'kept'])
  expect(ids('unwatched')).toEqual(['watched'])
  expect(ids('delete')).toEqual(['fresh', 'watched', 'kept'])
})

test('explains why an action is not possible for any of the recordings', () => {
  expect(reasonAgainst(recordingActions.keep, [kept], ['*'])).toBe('This recording is already kept.')
  expect(reasonAgainst(recordingActions.unwatched, [fresh, kept], ['*'])).toBe(
    'None of these has been watched.',
  )
})

test('names the scope that a key lacks, and lets every key summarize', () => {
  const reader = ['session_recording:read']
  expect(reasonAgainst(recordingActions.delete, [fresh], reader)).toContain('session_recording:write')
  expect(reasonAgainst(recordingActions.share, [fresh], reader)).toContain('sharing_configuration:read')
  expect(reasonAgainst(recordingActions.share, [fresh, kept], reader)).toContain(
    'sharing_configuration:write',
  )
  expect(possibleRows(recordingActions.summarize, [fresh], reader)).toEqual([fresh])
  expect(reasonAgainst(recordingActions.summarize, [fresh], reader)).toBeNull()
})

test('says if no problem is known in the recording to open', () => {
  expect(reasonAgainst(recordingActions.openProblem, [fresh], ['*'])).toBe(
    'This recording has no known problems.',
  )
})
