import { useEffect, useRef, type KeyboardEvent } from 'react'
import { noteLengthMax } from '../../../contract/recordings/recording-note.ts'
import { useWriteNote } from '../../queries/recordings/recording-notes.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { toast } from '../../ui/feedback/toasts.ts'
import { clockTime } from '../../format/clock.ts'
import type { Composer } from './use-composer.ts'
import { Form } from '../../ui/controls/form.tsx'

type NoteComposerProps = { projectId: string; recordingId: string; composer: Composer }

/** Writes a note at the moment where the playback was paused; ⌘ or Ctrl with Enter saves it, Escape keeps the draft. */
export function NoteComposer({ projectId, recordingId, composer }: NoteComposerProps) {
  const { composing, draft, setDraft, close } = composer
  const ref = useRef<HTMLTextAreaElement>(null)
  const write = useWriteNote(projectId, recordingId)
  const isOpen = composing !== null
  useEffect(() => {
    if (isOpen) ref.current?.focus()
  }, [isOpen])
  if (!composing) return null
  const time = clockTime(composing.at)
  const isEmpty = draft.trim() === ''
  const save = () => {
    if (isEmpty || write.isPending) return
    write.mutate(
      { at: Math.round(composing.at / 100) / 10, text: draft },
      {
        onSuccess: () => {
          setDraft('')
          close()
          toast(`Note saved at ${time}.`)
        },
      },
    )
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) save()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Form
      aria-label="New note"
      className="flex flex-col gap-2 rounded-md border border-line-strong bg-bg p-2.5"
      onSubmit={save}
    >
      <textarea
        ref={ref}
        aria-label={`Note at ${time}`}
        placeholder={`Note at ${time}`}
        rows={2}
        maxLength={noteLengthMax}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={press}
        className="field h-auto min-h-16 resize-y py-1.5"
      />
      {write.error && <ProblemNote error={write.error} />}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <span className="mr-auto text-xs text-ink-3">
          <kbd>⌘</kbd> or <kbd>Ctrl</kbd> + <kbd>Enter</kbd> saves. <kbd>Esc</kbd> closes and keeps the draft.
        </span>
        <Button onClick={close}>Close</Button>
        <Button
          look="primary"
          type="submit"
          busy={write.isPending}
          reason={isEmpty ? 'Enter a text first.' : null}
        >
          Save note
        </Button>
      </div>
    </Form>
  )
}
