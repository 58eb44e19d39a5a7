import type { Handler } from './handler.ts'

export const matchingEvents: Handler<'matchingEvents'> = async () => {
  throw new Error('not built yet')
}
