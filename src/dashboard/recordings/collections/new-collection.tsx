import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { recordingCan } from '../../../contract/recordings/recording-rules.ts'
import { useAccount } from '../../account.ts'
import { useCreateCollection } from '../../queries/recordings/recording-collections.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Form, FormActions } from '../../ui/controls/form.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { TextField } from '../../ui/controls/field.tsx'

/**
 * Makes a collection: by hand, or with the list's filter as its rule. `query`: the list's query string, null for by hand.
 */
export function NewCollection({ query }: { query: string | null }) {
  const { projectId, scopes } = useAccount()
  const create = useCreateCollection(projectId)
  const navigate = useNavigate()
  const [isOpen, setIsOpen] = useState(false)
  const byHand = query === null
  const onSuccess = ({ id }: { id: string }) => {
    if (byHand) setIsOpen(false)
    else void navigate({ to: '/recordings/collections/$id', params: { id } })
  }
  return (
    <>
      <Button
        look={byHand ? 'primary' : 'plain'}
        reason={recordingCan.change(scopes)}
        onClick={() => setIsOpen(true)}
      >
        {byHand ? 'New collection' : 'Save as collection'}
      </Button>
      {isOpen && (
        <NameDialog
          title="New collection"
          action="Create"
          saving={create}
          onSave={(name) => create.mutate({ name, query }, { onSuccess })}
          onClose={() => setIsOpen(false)}
        >
          {!byHand && (
            <p className="text-ink-2">Contains all recordings that match these filters, now and later.</p>
          )}
        </NameDialog>
      )}
    </>
  )
}

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
