import type { Handler } from './handler.ts'

export const listSessionRecordings: Handler<'listSessionRecordings'> = async () => {
  throw new Error('not built yet')
}
