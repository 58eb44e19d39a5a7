import type { Handler } from './handler.ts'

export const similarSessions: Handler<'similarSessions'> = async () => {
  throw new Error('not built yet')
}
