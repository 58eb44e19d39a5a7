import { expect } from 'vitest'
import { SessionRecordingList } from '../../contract/session-recording.ts'
import { bodyOf, type TestAnswer, type TestService } from './test-service.ts'

export type Parameters = Record<string, unknown>

/** Asks for the first project's recordings; what is no text is sent as JSON. */
export function listRecordings(service: TestService, parameters: Parameters): Promise<TestAnswer> {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
  return service.request('GET', `/api/projects/${service.own.project_id}/session_recordings/?${query}`)
}

/** The ids of the recordings that are listed. */
export async function listedIds(service: TestService, parameters: Parameters): Promise<string[]> {
  const answer = await listRecordings(service, parameters)
  expect(answer.status, answer.text).toBe(200)
  return bodyOf(SessionRecordingList, answer).results.map(({ id }) => id)
}
