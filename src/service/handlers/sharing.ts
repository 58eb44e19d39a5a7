import type { Handler } from './handler.ts'

export const getSharing: Handler<'getSharing'> = async () => {
  throw new Error('not built yet')
}

export const updateSharing: Handler<'updateSharing'> = async () => {
  throw new Error('not built yet')
}

export const refreshSharing: Handler<'refreshSharing'> = async () => {
  throw new Error('not built yet')
}
