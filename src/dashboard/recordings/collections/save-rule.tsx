import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { recordingCan } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { useCreateCollection } from '../../queries/recordings/recording-collections.ts'
import { Button } from '../../ui/controls/button.tsx'
import { NameDialog } from './name-dialog.tsx'

/** Saves the list's filter as the rule of a new collection. `query`: the list's query string. */
export function SaveRule({ query }: { query: string }) {
  const { projectId, scopes } = useAccount()
  const create = useCreateCollection(projectId)
  const navigate = useNavigate()
  const [isOpen, setIsOpen] = useState(false)
  const save = (name: string) =>
    create.mutate(
      { name, query },
      { onSuccess: ({ id }) => void navigate({ to: '/recordings/collections/$id', params: { id } }) },
    )
  return (
    <>
      <Button reason={recordingCan.change(scopes)} onClick={() => setIsOpen(true)}>
        Save as collection
      </Button>
      {isOpen && (
        <NameDialog
          title="New collection"
          action="Create"
          busy={create.isPending}
          error={create.error}
          onSave={save}
          onClose={() => setIsOpen(false)}
        >
          <p className="text-ink-2">Contains all recordings that match these filters, now and later.</p>
        </NameDialog>
      )}
    </>
  )
}
