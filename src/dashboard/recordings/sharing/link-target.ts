import { createContext } from 'react'
import type { Player } from '../player/player.ts'

/** What the links of the open dialog show. */
export type LinkTarget = {
  /** The player behind the dialog; undefined in a list, and for a collection. */
  player?: Player | undefined
  /** The player's position, in seconds since the start. */
  at?: number | undefined
  /** Whether the recording is of an app, which has no elements to choose. */
  isApp: boolean
}

export const LinkTargetContext = createContext<LinkTarget>({ isApp: false })
