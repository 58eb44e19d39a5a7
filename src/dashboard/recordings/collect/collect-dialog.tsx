import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import {
  collectionsQuery,
  useAddToCollection,
  useCreateCollection,
} from '../../queries/recordings/recording-collections.ts'
import type { RecordingFilter } from '../../queries/recordings/recordings-search.ts'
import { Form, FormActions } from '../../ui/controls/form.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { SelectField, TextField } from '../../ui/controls/field.tsx'
import { ListProblem } from '../../ui/list/list-notes.tsx'
import { toast } from '../../ui/feedback/toasts.ts'
import { namedRecordings } from '../../format/recording-name.ts'

const isNew = 'new'

type CollectDialogProps = {
  /** Recordings to add, or all that match the filter. */
  rows: readonly SessionRecording[] | 'all'
  filter?: RecordingFilter
  onClose: () => void
}

/** Adds recordings to a collection made by hand, which can be a new one. */
export function CollectDialog(props: CollectDialogProps) {
  const { projectId } = useAccount()
  const { data, error, refetch } = useQuery(collectionsQuery(projectId))
  return (
    <Dialog title="Add to collection" onClose={props.onClose}>
      {error && <ListProblem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <output className="appear-late text-ink-3">Loading collections…</output>}
      {data && <CollectForm {...props} byHand={data.results.filter(({ query }) => query === null)} />}
    </Dialog>
  )
}

type Choice = { id: string; name: string }

function CollectForm({ rows, filter = {}, onClose, byHand }: CollectDialogProps & { byHand: Choice[] }) {
  const { projectId } = useAccount()
  const create = useCreateCollection(projectId)
  const add = useAddToCollection(projectId)
  const [chosen, setChosen] = useState(byHand[0]?.id ?? isNew)
  const [name, setName] = useState('')
  const isReady = chosen !== isNew || name.trim() !== ''
  const error = create.error ?? add.error
  const what = rows === 'all' ? 'all recordings that match now' : namedRecordings(rows)
  const save = async () => {
    const collection =
      byHand.find(({ id }) => id === chosen) ?? (await create.mutateAsync({ name, query: null }))
    setChosen(collection.id)
    const { order: _order, order_direction: _direction, ...matching } = filter
    const objects = rows === 'all' ? { filter: matching } : { ids: rows.map(({ id }) => id) }
    await add.mutateAsync({ id: collection.id, ...objects })
    toast(`Added to “${collection.name}”.`)
    onClose()
  }
  return (
    <Form
      onSubmit={() => {
        // The form shows the error.
        if (isReady) save().catch(() => undefined)
      }}
    >
      <p className="text-ink-2">Adds {what}.</p>
      <SelectField label="Collection" value={chosen} onChange={(event) => setChosen(event.target.value)}>
        {byHand.map((each) => (
          <option key={each.id} value={each.id}>
            {each.name}
          </option>
        ))}
        <option value={isNew}>New collection</option>
      </SelectField>
      {chosen === isNew && (
        <TextField
          label="Name"
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      {error && <ProblemNote error={error} />}
      <FormActions
        onCancel={onClose}
        busy={create.isPending || add.isPending}
        reason={isReady ? null : 'Enter a name first.'}
      >
        Add
      </FormActions>
    </Form>
  )
}
