import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { eraseReason } from '../../contract/privacy/person-erasure.ts'
import type { Person } from '../../contract/recordings/person.ts'
import { useAccount } from '../account.ts'
import { counted } from '../format/amount.ts'
import { useErasePerson } from '../queries/privacy.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/controls/dialog.tsx'
import { TextField } from '../ui/controls/field.tsx'
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
  const [typed, setTyped] = useState('')
  const name = person.name ?? person.distinct_ids[0] ?? ''
  const erase = () =>
    mutate(typed, {
      onSuccess: (erasure) => void navigate({ to: '/erasures/$id', params: { id: erasure.id } }),
    })
  return (
    <Dialog title="Erase this person?" onClose={onClose}>
      <Form onSubmit={erase}>
        <div className="flex flex-col gap-2 text-ink-2">
          <p>
            This deletes {counted(person.event_count, 'event')} and{' '}
            {counted(person.recording_count, 'recording')} with notes, summaries and links, and the profile.
            It cannot be undone.
          </p>
          <p>
            You get a certificate that also lists the exported files and tables which still hold the person.
            Events that arrive later for the same distinct ids belong to a new person.
          </p>
        </div>
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
