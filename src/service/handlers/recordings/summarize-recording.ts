import { reword, summarize } from '../../recordings/descriptions/summarize.ts'
import type { Services } from '../../services.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import type { Handler } from '../handler.ts'
import { isOngoing, showRecording } from './show-recording.ts'

/** Returns the recording with a summary of what happened in its session. */
export const summarizeSessionRecording: Handler<'summarizeSessionRecording'> = async (request) => {
  const { services, recording, body } = request
  const summary = await summaryOf(request)
  const worded = body.use_model ? await reword(services, recording, summary) : summary
  return { ...(await showRecording(services, recording)), ...worded }
}

/** Returns the summary alone, and the name of the language model that can word it. */
export const summaryOfSessionRecording: Handler<'summaryOfSessionRecording'> = async (request) => ({
  ...(await summaryOf(request)),
  language_model: request.services.config.languageModel?.name ?? null,
})

function summaryOf({ services, recording }: { services: Services; recording: RecordingRow }) {
  return summarize(services, recording, isOngoing(services, recording))
}
