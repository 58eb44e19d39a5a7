import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PersistedRecording, SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'

const of = '/api/projects/:project_id/session_recordings'
let service: TestService
let recording: RecordingRow
let path: string

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  recording = await insertRecording(service)
  path = `/api/projects/${service.own.project_id}/session_recordings/${recording.session_id}/`
})

const retrieve = async () => bodyOf(SessionRecording, await service.request('GET', path))

test(`GET ${of}/:id/ returns 200 with the recording and does not mark it as watched`, async () => {
  await retrieve()
  expect(await retrieve()).toMatchObject({
    id: recording.session_id,
    viewed: '',
    recording_duration: 60,
    storage: 'object_storage',
    person: { id: null, name: null, properties: {}, distinct_ids: '["visitor"]' },
  })
})

test(`PATCH ${of}/:id/ marks the recording as watched now, or as not watched`, async () => {
  const response = await service.request('PATCH', path, { body: { viewed: true } })
  expect([response.status, response.body]).toEqual([200, { success: true }])
  expect((await retrieve()).viewed).toBe('2026-03-04T10:30:00Z')
  await service.request('PATCH', path, { body: { viewed: false } })
  expect((await retrieve()).viewed).toBe('')
})

test.each([[{}], [{ watched: true }], [{ viewed: 'yes' }], [{ viewed: null }]])(
  'rejects an update without a valid field: %j',
  async (body) => {
    const response = await service.request('PATCH', path, { body })
    expect(response.status).toBe(400)
    expect(problemOf(response).type).toBe('validation_error')
  },
)

test(`POST ${of}/:id/persist/ persists the recording, even repeatedly, and ignores the person in the body`, async () => {
  for (const body of [{ person: { distinct_id: 'somebody' } }, { distinct_id: 'x' }, {}]) {
    const response = await service.request('POST', `${path}persist/`, { body })
    expect(response.status).toBe(200)
    expect(bodyOf(PersistedRecording, response)).toMatchObject({
      success: true,
      storage: 'object_storage_lts',
      distinct_id: 'visitor',
    })
  }
  expect((await retrieve()).storage).toBe('object_storage_lts')
  const wrong = await service.request('POST', `${path}persist/`, { body: { distinct_id: 7 } })
  expect([wrong.status, problemOf(wrong).attr]).toEqual([400, 'distinct_id'])
})
