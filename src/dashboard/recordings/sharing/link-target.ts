import { createContext } from 'react'
import type { Player } from '../player/player.ts'

/** What the links of the open dialog show. */
export type LinkTarget = {
  /** The player behind the dialog; null in a list, and for a collection. */
  player: Player | null
  /** Whether the recording is of an app, which has no elements to choose. */
  isApp: boolean
}

export const LinkTargetContext = createContext<LinkTarget>({ player: null, isApp: false })
