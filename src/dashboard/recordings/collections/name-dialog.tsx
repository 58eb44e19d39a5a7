import { useState, type ReactNode } from 'react'
import { Form, FormActions } from '../../ui/controls/form.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { TextField } from '../../ui/controls/field.tsx'

type NameDialogProps = {
  title: string
  name?: string
  /** Label of the saving button: a verb. */
  action: string
  busy: boolean
  error: Error | null
  onSave: (name: string) => void
  onClose: () => void
  /** What the collection will contain. */
  children?: ReactNode
}

/** Asks for the name of a collection. */
export function NameDialog(props: NameDialogProps) {
  const { title, name: given = '', action, busy, error, onSave, onClose, children } = props
  const [name, setName] = useState(given)
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        onSubmit={() => {
          if (name.trim() !== '') onSave(name)
        }}
      >
        {children}
        <TextField
          label="Name"
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {error && <ProblemNote error={error} />}
        <FormActions
          onCancel={onClose}
          busy={busy}
          reason={name.trim() === '' ? 'Enter a name first.' : null}
        >
          {action}
        </FormActions>
      </Form>
    </Dialog>
  )
}
