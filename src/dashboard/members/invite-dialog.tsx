import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { inviteDays } from '../../contract/accounts/member.ts'
import { signInOptionsQuery } from '../queries/account.ts'
import { useCreateInvite } from '../queries/members.ts'
import { CheckboxField, TextField } from '../ui/controls/field.tsx'
import { Form, FormActions } from '../ui/controls/form.tsx'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'
import { issuesByField } from '../ui/feedback/server-issues.ts'
import { SecretDialog } from '../ui/secret.tsx'
import { RightsFields, rightsReason } from './rights-fields.tsx'
import type { Rights } from '../../contract/accounts/roles.ts'

/** Creates an invite, whose link is shown once, and sends it where the service sends e-mails. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const first =
    sentTo === null
      ? 'Copy the link now and send it to the person you invite: it is shown only once.'
      : `The link is on its way to ${sentTo}. You can also copy it: it is shown only once.`
  return (
    <SecretDialog
      title="Invite someone"
      label="Invite link"
      readyTitle="The invite is ready"
      about={`${first} One person can join with it, within ${inviteDays} days.`}
      onClose={onClose}
      renderForm={(onSecret) => (
        <InviteForm
          onClose={onClose}
          onCreated={(url, address) => {
            setSentTo(address)
            onSecret(url)
          }}
        />
      )}
    />
  )
}

type InviteFormProps = { onClose: () => void; onCreated: (url: string, sentTo: string | null) => void }

function InviteForm({ onClose, onCreated }: InviteFormProps) {
  const { data: options } = useQuery(signInOptionsQuery)
  const [rights, setRights] = useState<Rights>({ role: 'analyst', project_roles: null })
  const [email, setEmail] = useState('')
  const [isWanted, setIsWanted] = useState(true)
  const create = useCreateInvite()
  const address = email.trim() || null
  const isSent = options?.sends_mail === true && isWanted && address !== null
  const submit = () =>
    create.mutate(
      { ...rights, email: address, ...(isSent && { send_mail: true }) },
      { onSuccess: ({ url }) => onCreated(url, isSent ? address : null) },
    )
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
        hint={`If given, only this address can accept the invite.${options?.sends_mail ? '' : ' Nothing is sent to it.'}`}
        error={issues?.fields[0]?.message}
      />
      {options?.sends_mail && (
        <CheckboxField
          label="Send it by e-mail"
          hint={address === null ? 'Enter the address first.' : undefined}
          disabled={address === null}
          checked={isWanted && address !== null}
          onChange={(event) => setIsWanted(event.target.checked)}
        />
      )}
      <RightsFields rights={rights} onChange={setRights} />
      {create.error && issues?.fields.length === 0 && <ProblemNote error={create.error} />}
      <FormActions onCancel={onClose} busy={create.isPending} reason={rightsReason(rights)}>
        {isSent ? 'Send invite' : 'Create link'}
      </FormActions>
    </Form>
  )
}
