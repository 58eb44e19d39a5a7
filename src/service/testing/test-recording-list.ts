import { expect } from 'vitest'
import { SessionRecordingList } from '../../contract/recordings/session-recording.ts'
import { bodyOf, type TestResponse, type TestService } from './test-service.ts'

export type Parameters = Record<string, unknown>

/** Requests the first project's recordings. Parameters that are not text are sent as JSON. */
export function listRecordings(service: TestService, parameters: Parameters): Promise<TestResponse> {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
  return service.request('GET', `/api/projects/${service.own.project_id}/session_recordings/?${query}`)
}

/** Returns the ids of the listed recordings. */
export async function listedIds(service: TestService, parameters: Parameters): Promise<string[]> {
  const response = await listRecordings(service, parameters)
  expect(response.status, response.text).toBe(200)
  return bodyOf(SessionRecordingList, response).results.map(({ id }) => id)
}
