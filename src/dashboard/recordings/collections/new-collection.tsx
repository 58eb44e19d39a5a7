import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { recordingCan } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { useCreateCollection } from '../../queries/recordings/recording-collections.ts'
import { Button } from '../../ui/controls/button.tsx'
import { NameDialog } from './name-dialog.tsx'

/** Makes a collection: by hand, or with the list's filter as its rule. `query`: the list's query string, null for by hand. */
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
