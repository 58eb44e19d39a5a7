import { RecordingLink } from '../../../contract/recordings/sharing.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { insertRecording } from '../test-recordings.ts'
import { bodyOf, createTestService, type TestService } from '../test-service.ts'

export let service: TestService
export let recording: RecordingRow
/** Path of the recording. */
export let path: string

export async function openLinks(): Promise<void> {
  service = await createTestService()
}

/** Inserts the recording of the running test. */
export async function createRecording(values: Parameters<typeof insertRecording>[1] = {}): Promise<void> {
  recording = await insertRecording(service, values)
  path = `/api/projects/${service.own.project_id}/session_recordings/${recording.session_id}/`
}

export const create = async (body: object) =>
  bodyOf(RecordingLink, await service.request('POST', `${path}links/`, { body }))

/** Sends a request without a key. */
export const ask = (url: string) => service.request('GET', url, { key: '' })
