import type { Handler } from './handler.ts'

export const summarizeSessionRecording: Handler<'summarizeSessionRecording'> = async () => {
  throw new Error('not built yet')
}
