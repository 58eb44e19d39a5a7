import { formatInstant } from '../../../contract/instant.ts'
import { invalidInput } from '../../problems/api-error.ts'
import { findMatchingEvents } from '../../recordings/session-events.ts'
import { findRecording } from '../../store/recordings/session-recordings.ts'
import type { Handler } from '../handler.ts'
import { noRecording, showRecording } from './show-recording.ts'

export const matchingEvents: Handler<'matchingEvents'> = async ({ services, project, query }) => {
  const { session_ids = [], events = [], actions = [], properties = [] } = query
  const [sessionId, ...others] = session_ids
  if (sessionId === undefined || others.length > 0) throw invalidInput('Must specify exactly one session_id')
  if (events.length + actions.length === 0)
    throw invalidInput('Must specify at least one event or action filter')

  const [found, recording] = await Promise.all([
    findMatchingEvents(
      services.warehouse,
      { projectId: project.id, sessionId },
      { events, actions, properties },
    ),
    findRecording(services.store, project.id, sessionId),
  ])
  return {
    ...(recording ? await showRecording(services, recording) : noRecording),
    results: found.map(({ uuid }) => uuid),
    timestamps: found.map(({ time }) => formatInstant(time)),
  }
}
