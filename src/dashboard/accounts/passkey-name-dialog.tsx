import { useState } from 'react'
import { Dialog } from '../ui/controls/dialog.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { Form, FormActions } from '../ui/controls/form.tsx'

type PasskeyNameDialogProps = {
  title: string
  /** What happens next. */
  about: string
  action: string
  name: string
  busy: boolean
  error: Error | null
  onSubmit: (name: string) => void
  onClose: () => void
}

/** Asks for the name of a passkey. */
export function PasskeyNameDialog(props: PasskeyNameDialogProps) {
  const { title, about, action, busy, error, onSubmit, onClose } = props
  const [name, setName] = useState(props.name)
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => onSubmit(name)}>
        <p className="text-ink-2">{about}</p>
        <TextField
          label="Name"
          autoComplete="off"
          required
          maxLength={100}
          hint="Where the passkey is, so that you know later which one to remove."
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={error?.message}
        />
        <FormActions onCancel={onClose} busy={busy}>
          {action}
        </FormActions>
      </Form>
    </Dialog>
  )
}
