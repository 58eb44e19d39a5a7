import { summarize } from '../../recordings/summary/summarize.ts'
import type { Handler } from '../handler.ts'
import { showRecording } from './show-recording.ts'

/** Returns the recording with a summary of what happened in its session. */
export const summarizeSessionRecording: Handler<'summarizeSessionRecording'> = async ({
  services,
  recording,
}) => {
  const shown = await showRecording(services, recording)
  return { ...shown, ...(await summarize(services, recording, shown.ongoing)) }
}
