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
  saving: { isPending: boolean; error: Error | null }
  onSave: (name: string) => void
  onClose: () => void
  /** What the collection will contain. */
  children?: ReactNode
}

/** Asks for the name of a collection. */
export function NameDialog(props: NameDialogProps) {
  const { title, action, saving, onSave, onClose, children } = props
  const [name, setName] = useState(props.name ?? '')
  const reason = name.trim() === '' ? 'Enter a name first.' : null
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => reason === null && onSave(name)}>
        {children}
        <TextField
          label="Name"
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {saving.error && <ProblemNote error={saving.error} />}
        <FormActions onCancel={onClose} busy={saving.isPending} reason={reason}>
          {action}
        </FormActions>
      </Form>
    </Dialog>
  )
}
