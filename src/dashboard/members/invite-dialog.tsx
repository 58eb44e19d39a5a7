import { useState } from 'react'
import { inviteDays } from '../../contract/accounts/member.ts'
import { useCreateInvite } from '../queries/members.ts'
import { TextField } from '../ui/controls/field.tsx'
import { Form, FormActions } from '../ui/controls/form.tsx'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'
import { issuesByField } from '../ui/feedback/server-issues.ts'
import { SecretDialog } from '../ui/secret.tsx'
import { RightsFields, rightsReason } from './rights-fields.tsx'
import type { Rights } from '../../contract/accounts/roles.ts'

/** Creates an invite, whose link is shown once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  return (
    <SecretDialog
      title="Invite someone"
      label="Invite link"
      readyTitle="The invite is ready"
      about={`Copy the link now, and send it to whom you invite: it is shown only once. One person can join with it, within ${inviteDays} days.`}
      onClose={onClose}
      renderForm={(onSecret) => <InviteForm onClose={onClose} onCreated={onSecret} />}
    />
  )
}

type InviteFormProps = { onClose: () => void; onCreated: (url: string) => void }

function InviteForm({ onClose, onCreated }: InviteFormProps) {
  const [rights, setRights] = useState<Rights>({ role: 'analyst', project_roles: null })
  const [email, setEmail] = useState('')
  const create = useCreateInvite()
  const submit = () =>
    create.mutate({ ...rights, email: email.trim() || null }, { onSuccess: ({ url }) => onCreated(url) })
  const issues = create.error && issuesByField(create.error, ['email'])
  return (
    <Form noValidate onSubmit={submit}>
      <TextField
        label="E-mail"
        optional
        type="email"
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        hint="If given, only this address can accept the invite. Nothing is sent to it."
        error={issues?.fields[0]?.message}
      />
      <RightsFields rights={rights} onChange={setRights} />
      {create.error && issues?.fields.length === 0 && <ProblemNote error={create.error} />}
      <FormActions onCancel={onClose} busy={create.isPending} reason={rightsReason(rights)}>
        Create link
      </FormActions>
    </Form>
  )
}
