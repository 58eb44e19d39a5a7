import { useState } from 'react'
import { recordingCan } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { useKeys } from '../../ui/use-keys.ts'
import type { Player } from '../player/player.ts'

/** A note being written: `at` milliseconds from the start; `wasPlaying` when the writing began. */
type Composing = { at: number; wasPlaying: boolean }

export type Composer = {
  /** Null while no note is being written. */
  composing: Composing | null
  /** The text so far, also kept while the composer is closed. */
  draft: string
  setDraft: (text: string) => void
  open: () => void
  /** Closes the composer and continues the playback. */
  close: () => void
  /** Why the key cannot write notes; null if it can. */
  reason: string | null
}

/** The state of the note composer of a player; the key `c` opens it at the current moment and pauses the playback. */
export function useComposer(player: Player): Composer {
  const { scopes } = useAccount()
  const [composing, setComposing] = useState<Composing | null>(null)
  const [draft, setDraft] = useState('')
  const reason = recordingCan.change(scopes)
  const open = () => {
    const { at, isPlaying } = player.state.get().playing
    if (isPlaying) player.toggle()
    setComposing({ at, wasPlaying: isPlaying })
  }
  const close = () => {
    if (composing?.wasPlaying && !player.state.get().playing.isPlaying) player.toggle()
    setComposing(null)
  }
  useKeys({ c: { does: 'Write a note at this moment', run: open, reason } })
  return { composing, draft, setDraft, open, close, reason }
}
