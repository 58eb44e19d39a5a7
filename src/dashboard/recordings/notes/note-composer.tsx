import { useState } from 'react'
import { recordingCan } from '../../../contract/recordings/recording-rules.ts'
import { useAccount } from '../../account.ts'
import { useWriteNote } from '../../queries/recordings/recording-notes.ts'
import { Button } from '../../ui/controls/button.tsx'
import { toast } from '../../ui/feedback/toasts.ts'
import { useKeys } from '../../ui/use-keys.ts'
import { clockTime } from '../../format/clock.ts'
import type { Player } from '../player/player.ts'
import { NoteForm } from './note-form.tsx'

/** The state of the note composer of a player; the key `c` opens it at the current moment and pauses the playback. */
export function useComposer(player: Player) {
  const { scopes } = useAccount()
  /** The moment of the note that is being written, in milliseconds from the start; null while none is. */
  const [at, setAt] = useState<number | null>(null)
  const [wasPlaying, setWasPlaying] = useState(false)
  /** The text so far, also kept while the composer is closed. */
  const [draft, setDraft] = useState('')
  const reason = recordingCan.change(scopes)
  const open = () => {
    const { playing } = player.state.get()
    if (playing.isPlaying) player.toggle()
    setAt(playing.at)
    setWasPlaying(playing.isPlaying)
  }
  /** Closes the composer and continues the playback. */
  const close = () => {
    if (at !== null && wasPlaying && !player.state.get().playing.isPlaying) player.toggle()
    setAt(null)
  }
  useKeys({ c: { does: 'Write a note at this moment', run: open, reason } })
  return { at, draft, setDraft, open, close, reason }
}

type NoteComposerProps = { recordingId: string; composer: ReturnType<typeof useComposer> }

/** Writes a note at the moment where the playback was paused. */
export function NoteComposer({ recordingId, composer: { at, draft, setDraft, close } }: NoteComposerProps) {
  const { projectId } = useAccount()
  const write = useWriteNote(projectId, recordingId)
  if (at === null) return null
  const time = clockTime(at)
  const onSuccess = () => {
    setDraft('')
    close()
    toast(`Note saved at ${time}.`)
  }
  return (
    <NoteForm
      label="New note"
      field={{ 'aria-label': `Note at ${time}`, placeholder: `Note at ${time}`, rows: 2 }}
      className="rounded-md border border-line-strong bg-bg p-2.5"
      text={draft}
      onText={setDraft}
      saving={write}
      onSave={() => write.mutate({ at: Math.round(at / 100) / 10, text: draft }, { onSuccess })}
      onClose={close}
    >
      {(reason) => (
        <div className="flex flex-wrap items-center justify-end gap-2">
          <span className="mr-auto text-xs text-ink-3">
            <kbd>⌘</kbd> or <kbd>Ctrl</kbd> + <kbd>Enter</kbd> saves. <kbd>Esc</kbd> closes and keeps the
            draft.
          </span>
          <Button onClick={close}>Close</Button>
          <Button look="primary" type="submit" busy={write.isPending} reason={reason}>
            Save note
          </Button>
        </div>
      )}
    </NoteForm>
  )
}
