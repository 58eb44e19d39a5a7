import type { Readable } from 'node:stream'
import type { LinkEndpointName, LinkResponseOf, QueryOf } from '../../../contract/endpoints.ts'
import { formatInstant } from '../../../contract/instant.ts'
import type { SharedRecording } from '../../../contract/session-recording.ts'
import { actionTimes } from '../../recordings/session-events.ts'
import type { Services } from '../../services.ts'
import { countView } from '../../store/recording-sharing.ts'
import type { RecordingRow } from '../../store/session-recordings.ts'
import { assetsOfSessionRecording } from './recording-assets.ts'
import { snapshotsOfSessionRecording } from './recording-snapshots.ts'

const actionsMax = 5000

/** Input of a handler called with a link instead of a key: the one recording that the link opens. */
export type LinkRequest<Name extends LinkEndpointName> = {
  services: Services
  recording: RecordingRow
  query: QueryOf<Name>
}
type LinkHandler<Name extends LinkEndpointName> = (
  request: LinkRequest<Name>,
) => Promise<Readable | LinkResponseOf<Name>>

/** The handler of each endpoint that accepts a link's token. */
export const linkHandlers: { [Name in LinkEndpointName]: LinkHandler<Name> } = {
  getSessionRecording: async ({ recording }) => showShared(recording),
  snapshotsOfSessionRecording,
  assetsOfSessionRecording,
  openLink: async ({ services, recording }) => {
    await countView(services.store, recording.id)
    const session = { projectId: recording.project_id, sessionId: recording.session_id }
    const acted_at = await actionTimes(services.warehouse, session, actionsMax)
    return { ...showShared(recording), team_id: recording.project_id, acted_at }
  },
}

function showShared(row: RecordingRow): SharedRecording {
  return {
    id: row.session_id,
    recording_duration: row.recording_duration,
    start_time: formatInstant(row.start_time),
    end_time: formatInstant(row.end_time),
    dropped_events: row.dropped_events,
  }
}
