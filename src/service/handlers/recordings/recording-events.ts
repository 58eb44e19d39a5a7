import { formatInstant } from '../../../contract/instant.ts'
import type { RecordingEvent } from '../../../contract/session-recording.ts'
import { Bindings } from '../../recordings/filter/filter-sql.ts'
import { sessionEvents } from '../../recordings/session-events.ts'
import type { Handler } from '../handler.ts'

const eventsMax = 5000

type EventRow = Pick<RecordingEvent, 'uuid' | 'event' | 'elements_chain'> & {
  time: number
  properties: string
}

export const eventsOfSessionRecording: Handler<'eventsOfSessionRecording'> = async ({
  services,
  recording,
}) => {
  const rows = await sessionEvents<EventRow>(
    services.warehouse,
    new Bindings(),
    { projectId: recording.project_id, sessionId: recording.session_id },
    {
      columns: 'uuid, event, toUnixTimestamp64Milli(timestamp) AS time, properties, elements_chain',
      limit: eventsMax + 1,
    },
  )
  return {
    results: rows.slice(0, eventsMax).map(({ uuid, event, time, properties, elements_chain }) => ({
      uuid,
      event,
      timestamp: formatInstant(time),
      properties: JSON.parse(properties),
      elements_chain,
    })),
    truncated: rows.length > eventsMax,
  }
}
