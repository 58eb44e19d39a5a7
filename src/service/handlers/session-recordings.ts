import type { Handler } from './handler.ts'
import { showRecording } from './show-recording.ts'

export const getSessionRecording: Handler<'getSessionRecording'> = ({ services, recording }) =>
  showRecording(services, recording)

export const updateSessionRecording: Handler<'updateSessionRecording'> = async () => {
  throw new Error('not built yet')
}

export const persistSessionRecording: Handler<'persistSessionRecording'> = async () => {
  throw new Error('not built yet')
}
