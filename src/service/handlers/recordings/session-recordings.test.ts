import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PersistedRecording, SessionRecording } from '../../../contract/session-recording.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import type { RecordingRow } from '../../store/session-recordings.ts'

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

test(`GET ${of}/:id/ answers 200 with the recording, and does not mark it watched`, async () => {
  await retrieve()
  expect(await retrieve()).toMatchObject({
    id: recording.session_id,
    viewed: '',
    recording_duration: 60,
    storage: 'object_storage',
    person: { id: null, name: null, properties: {}, distinct_ids: '["visitor"]' },
  })
})

test(`PATCH ${of}/:id/ marks it as watched now, or not watched`, async () => {
  const answer = await service.request('PATCH', path, { body: { viewed: true } })
  expect([answer.status, answer.body]).toEqual([200, { success: true }])
  expect((await retrieve()).viewed).toBe('2026-03-04T10:30:00Z')
  await service.request('PATCH', path, { body: { viewed: false } })
  expect((await retrieve()).viewed).toBe('')
})

test.each([[{}], [{ watched: true }], [{ viewed: 'yes' }], [{ viewed: null }]])(
  'a change of nothing that can be changed is refused: %j',
  async (body) => {
    const answer = await service.request('PATCH', path, { body })
    expect(answer.status).toBe(400)
    expect(problemOf(answer).type).toBe('validation_error')
  },
)

test(`POST ${of}/:id/persist/ keeps it, again too, whatever its body says of the person`, async () => {
  for (const body of [{ person: { distinct_id: 'somebody' } }, { distinct_id: 'x' }, {}]) {
    const answer = await service.request('POST', `${path}persist/`, { body })
    expect(answer.status).toBe(200)
    expect(bodyOf(PersistedRecording, answer)).toMatchObject({
      success: true,
      storage: 'object_storage_lts',
      distinct_id: 'visitor',
    })
  }
  expect((await retrieve()).storage).toBe('object_storage_lts')
  const wrong = await service.request('POST', `${path}persist/`, { body: { distinct_id: 7 } })
  expect([wrong.status, problemOf(wrong).attr]).toEqual([400, 'distinct_id'])
})
