import type { Handler } from './handler.ts'

export const deleteSessionRecording: Handler<'deleteSessionRecording'> = async () => {
  throw new Error('not built yet')
}

export const bulkDeleteRecordings: Handler<'bulkDeleteRecordings'> = async () => {
  throw new Error('not built yet')
}
