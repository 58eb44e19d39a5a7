import type { Handler } from './handler.ts'

export const eventsOfSessionRecording: Handler<'eventsOfSessionRecording'> = async () => {
  throw new Error('not built yet')
}
