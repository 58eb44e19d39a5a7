import { summarize } from '../../recordings/summary/summarize.ts'
import type { Handler } from '../handler.ts'
import { showRecording } from './show-recording.ts'

/** Says in words what happened in a session. */
export const summarizeSessionRecording: Handler<'summarizeSessionRecording'> = async ({
  services,
  recording,
}) => {
  const shown = await showRecording(services, recording)
  return { ...shown, ...(await summarize(services, recording, shown.ongoing)) }
}
