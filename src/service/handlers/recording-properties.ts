import type { Handler } from './handler.ts'

export const propertiesOfRecordings: Handler<'propertiesOfRecordings'> = async () => {
  throw new Error('not built yet')
}
