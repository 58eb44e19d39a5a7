import type { ComponentProps, KeyboardEvent, ReactNode } from 'react'
import { noteLengthMax } from '../../../contract/recordings/recording-note.ts'
import { Form } from '../../ui/controls/form.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'

type NoteFormProps = {
  label: string
  field: Pick<ComponentProps<'textarea'>, 'aria-label' | 'placeholder' | 'rows'>
  text: string
  onText: (text: string) => void
  /** The request that saves the note. */
  saving: { isPending: boolean; error: Error | null }
  onSave: () => void
  onClose: () => void
  className: string
  /** The buttons; `reason` says why the note cannot be saved. */
  children: (reason: string | null) => ReactNode
}

/** The text of a note; ⌘ or Ctrl with Enter saves it, Escape closes the form. */
export function NoteForm(props: NoteFormProps) {
  const { label, field, text, onText, saving, onSave, onClose, className, children } = props
  const reason = text.trim() === '' ? 'Enter a text first.' : null
  const save = () => {
    if (reason === null && !saving.isPending) onSave()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) save()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Form aria-label={label} className={`flex flex-col gap-2 ${className}`} onSubmit={save}>
      <textarea
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just chosen to write
        autoFocus
        {...field}
        maxLength={noteLengthMax}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={press}
        className="field h-auto min-h-16 resize-y py-1.5"
      />
      {saving.error && <ProblemNote error={saving.error} />}
      {children(reason)}
    </Form>
  )
}
