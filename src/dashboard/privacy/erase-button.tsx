import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { eraseReason } from '../../contract/privacy/person-erasure.ts'
import type { Person } from '../../contract/recordings/person.ts'
import { useAccount } from '../account.ts'
import { count, counted } from '../format/amount.ts'
import { endpointQuery } from '../queries/endpoint-query.ts'
import { useErasePerson } from '../queries/privacy.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/controls/dialog.tsx'
import { CheckboxField, TextField } from '../ui/controls/field.tsx'
import { Form } from '../ui/controls/form.tsx'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'

/** A button that erases a person once their name, or else a distinct id, has been typed. */
export function EraseButton({ id, person }: { id: string; person: Person }) {
  const { scopes } = useAccount()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button reason={eraseReason(scopes)} onClick={() => setOpen(true)}>
        Erase person
      </Button>
      {isOpen && <EraseDialog id={id} person={person} onClose={() => setOpen(false)} />}
    </>
  )
}

function EraseDialog({ id, person, onClose }: { id: string; person: Person; onClose: () => void }) {
  const { projectId } = useAccount()
  const navigate = useNavigate()
  const { mutate, isPending, error } = useErasePerson(projectId, id)
  const params = { project_id: projectId, person_id: id }
  const preview = useQuery({ ...endpointQuery('previewErasure', { params }), staleTime: 0 })
  const [typed, setTyped] = useState('')
  const [erasesShared, setErasesShared] = useState(true)
  const kept = erasesShared ? 0 : (preview.data?.recordings_of_others ?? 0)
  const name = person.name ?? person.distinct_ids[0] ?? ''
  const erase = () =>
    mutate(
      { confirm: typed, shared_recordings: erasesShared ? 'erase' : 'keep' },
      { onSuccess: (erasure) => void navigate({ to: '/erasures/$id', params: { id: erasure.id } }) },
    )
  return (
    <Dialog title="Erase this person?" onClose={onClose}>
      <Form onSubmit={erase}>
        <div className="flex flex-col gap-2 text-ink-2">
          <p>
            This deletes {counted(person.event_count, 'event')} and{' '}
            {counted((preview.data?.recordings ?? person.recording_count) - kept, 'recording')} with notes,
            summaries and links, and the profile. It cannot be undone.
          </p>
          {preview.data && <SharedRecordings shared={preview.data.shared_recordings - kept} />}
          {preview.error && <ProblemNote error={preview.error} />}
          <p>
            You get a certificate that also lists the exported files and tables which still hold the person.
            Events that arrive later for the same distinct ids belong to a new person.
          </p>
        </div>
        {preview.data && preview.data.recordings_of_others > 0 && (
          <CheckboxField
            label={`Also delete the ${counted(preview.data.recordings_of_others, 'recording')} that began as another person’s`}
            hint={erasesShared ? undefined : 'A recording that stays still shows this person.'}
            checked={erasesShared}
            onChange={(event) => setErasesShared(event.target.checked)}
          />
        )}
        <TextField
          label={
            <>
              Type <code className="wrap-anywhere">{name}</code> to confirm
            </>
          }
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
        {error && <ProblemNote error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="danger"
            type="submit"
            busy={isPending}
            reason={typed === name ? null : 'Type the name to confirm.'}
          >
            Erase person
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

/** Says how many of the recordings also show other persons. */
function SharedRecordings({ shared }: { shared: number }) {
  if (shared === 0) return null
  return (
    <p>
      Of these recordings, {count(shared)} also {shared === 1 ? 'shows' : 'show'} other persons.
    </p>
  )
}
