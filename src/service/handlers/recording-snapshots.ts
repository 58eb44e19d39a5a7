import type { Handler } from './handler.ts'

export const snapshotsOfSessionRecording: Handler<'snapshotsOfSessionRecording'> = async () => {
  throw new Error('not built yet')
}
