import { useState } from 'react'
import type { RecordingView } from '../../../contract/recordings/recording-view.ts'
import { useAccount } from '../../account.ts'
import { useSaveView } from '../../queries/recordings/recording-views.ts'
import { Form, FormActions } from '../../ui/controls/form.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { toast } from '../../ui/feedback/toasts.ts'
import { CheckboxField, TextField } from '../../ui/controls/field.tsx'

type ViewDialogProps = {
  /** The view to change; null to save a new one. */
  view: RecordingView | null
  /** Query string of the list that the view shows. */
  query: string
  onSaved?: (view: RecordingView) => void
  onClose: () => void
}

/** Asks for a view's name, and whether everyone in the project sees it. */
export function ViewDialog({ view, query, onSaved, onClose }: ViewDialogProps) {
  const { projectId } = useAccount()
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const [tried, setTried] = useState(false)
  const save = useSaveView(projectId)
  const submit = () => {
    setTried(true)
    if (name.trim() === '') return
    save.mutate(
      { ...(view && { id: view.id }), name, query, shared },
      {
        onSuccess: (saved) => {
          toast(`Saved the view ${saved.name}.`)
          onSaved?.(saved)
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title={view ? 'Change the view' : 'Save the view'} onClose={onClose}>
      <Form noValidate onSubmit={submit}>
        <TextField
          label="Name"
          maxLength={100}
          value={name}
          error={tried && name.trim() === '' ? 'Enter a name.' : undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <CheckboxField
          label="For everyone in this project"
          hint="Otherwise only you see the view."
          checked={shared}
          disabled={view !== null && !view.own}
          onChange={(event) => setShared(event.target.checked)}
        />
        {save.error && <ProblemNote error={save.error} onRetry={submit} />}
        <FormActions onCancel={onClose} busy={save.isPending}>
          Save
        </FormActions>
      </Form>
    </Dialog>
  )
}
