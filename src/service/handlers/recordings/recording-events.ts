import { formatInstant } from '../../../contract/instant.ts'
import { eventsOfSession, readProperties } from '../../recordings/session-events.ts'
import type { Handler } from '../handler.ts'

const eventsMax = 5000

export const eventsOfSessionRecording: Handler<'eventsOfSessionRecording'> = async ({
  services,
  recording,
}) => {
  const rows = await eventsOfSession(
    services.warehouse,
    { projectId: recording.project_id, sessionId: recording.session_id },
    eventsMax + 1,
  )
  return {
    results: rows.slice(0, eventsMax).map(({ uuid, event, time, properties, elements_chain }) => ({
      uuid,
      event,
      timestamp: formatInstant(time),
      properties: readProperties(properties),
      elements_chain,
    })),
    truncated: rows.length > eventsMax,
  }
}
