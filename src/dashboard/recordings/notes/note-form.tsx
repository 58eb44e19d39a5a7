import { Suspense, useRef, useState, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { noteLengthMax } from '../../../contract/recordings/recording-rules.ts'
import { Form } from '../../ui/controls/form.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { lazyNamed } from '../../ui/lazy-named.ts'
import { mentionQueryAt, type MentionQuery } from './mention-query.ts'

const MentionPicker = lazyNamed(() => import('./mention-picker.tsx'), 'MentionPicker')

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

/** The text of a note; ⌘ or Ctrl with Enter saves it, Escape closes the form, and @ offers members to mention. */
export function NoteForm(props: NoteFormProps) {
  const { label, field, text, onText, saving, onSave, onClose, className, children } = props
  const input = useRef<HTMLTextAreaElement>(null)
  const [mention, setMention] = useState<MentionQuery | null>(null)
  const pick = (name: string) => {
    const { current } = input
    if (!current || !mention) return
    const before = `${text.slice(0, mention.at)}@${name} `
    const after = text.slice(mention.at + 1 + mention.text.length)
    // The caret can be set only in the text that the field already has.
    flushSync(() => {
      onText(before + after.replace(/^ /, ''))
      setMention(null)
    })
    current.setSelectionRange(before.length, before.length)
  }
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
        ref={input}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        {...field}
        maxLength={noteLengthMax}
        value={text}
        onChange={({ target: { value, selectionStart } }) => {
          onText(value)
          setMention(mentionQueryAt(value, selectionStart))
        }}
        onBlur={() => setMention(null)}
        onKeyDown={press}
        className="field h-auto min-h-16 resize-y py-1.5"
      />
      <Suspense>
        {mention && (
          <MentionPicker field={input} query={mention} onPick={pick} onClose={() => setMention(null)} />
        )}
      </Suspense>
      {saving.error && <ProblemNote error={saving.error} />}
      {children(reason)}
    </Form>
  )
}
