import type { Handler } from './handler.ts'

export const errorClusters: Handler<'errorClusters'> = async () => {
  throw new Error('not built yet')
}
