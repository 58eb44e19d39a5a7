import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { PersonalApiKeyCreate } from '../../contract/accounts/api-key.ts'
import { allowsScope, scopeReason, scopes as allScopes } from '../../contract/accounts/scopes.ts'
import type { GrantedScope } from '../../contract/accounts/scope-schema.ts'
import { useAccount } from '../account.ts'
import { useCreateApiKey } from '../queries/api-keys.ts'
import { Form, FormActions } from '../ui/controls/form.tsx'
import { CheckboxField, SelectField, TextField } from '../ui/controls/field.tsx'
import { Options } from '../ui/controls/options.tsx'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'
import { SecretDialog } from '../ui/secret.tsx'
import { scopeInWords } from '../format/scope.ts'
import { lengthMessage } from '../ui/feedback/field-message.ts'
import { issuesByField } from '../ui/feedback/server-issues.ts'

const dayMs = 24 * 3_600_000
/** When a key can expire: days, with their text. */
const expiries = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In 365 days'],
] as const

/** Converts form values into a request. Checkbox values are strings; no selected project means no limit. */
const KeyValues = PersonalApiKeyCreate.pick({ label: true, scopes: true, is_service: true }).extend({
  expires_at: z
    .string()
    .transform((days) => (days === '' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString())),
  scoped_teams: z.array(z.string()).transform((ids) => (ids.length === 0 ? null : ids.map(Number))),
})

export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  return (
    <SecretDialog
      title="New API key"
      label="API key"
      readyTitle="The key is ready"
      about="Copy the key now: it is shown only once, and the service stores only its hash."
      onClose={onClose}
      renderForm={(onCreated) => <KeyForm onClose={onClose} onCreated={onCreated} />}
    />
  )
}

function KeyForm({ onClose, onCreated }: { onClose: () => void; onCreated: (value: string) => void }) {
  const { scopes: own, projects, user } = useAccount()
  const create = useCreateApiKey()
  const limited = !user.all_teams
  const serviceReason = scopeReason(own, 'organization:write')
  const { register, handleSubmit, setError, formState } = useForm({
    // A key limited to projects can only create keys with the same limit.
    defaultValues: {
      label: '',
      scopes: ['batch_export:read' as GrantedScope],
      scoped_teams: limited ? projects.map(({ id }) => String(id)) : [],
      expires_at: '',
      is_service: false,
    },
    resolver: zodResolver(KeyValues, { error: lengthMessage }),
  })
  const { errors } = formState
  const save = async (body: PersonalApiKeyCreate) => {
    try {
      const created = await create.mutateAsync(body)
      onCreated(created.value)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      for (const { name, message } of issuesByField(error, ['label', 'scopes', 'expires_at']).fields)
        setError(name, { message })
    }
  }
  return (
    <Form noValidate className="flex flex-col gap-5" onSubmit={handleSubmit(save)}>
      <TextField
        label="Label"
        autoComplete="off"
        hint="What the key is for, so that you know later which one to revoke."
        error={errors.label?.message}
        {...register('label')}
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium">This key may</legend>
        {grantableScopes(own).map((scope) => (
          <CheckboxField
            key={scope}
            value={scope}
            label={scopeInWords(scope)}
            hint={<code>{scope}</code>}
            {...register('scopes')}
          />
        ))}
        {errors.scopes && <p className="text-fail-ink">{errors.scopes.message}</p>}
      </fieldset>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium">
          Only in these projects
          {!limited && <span className="font-normal text-ink-3"> (none selected: all)</span>}
        </legend>
        {projects.map(({ id, name }) => (
          <CheckboxField key={id} value={String(id)} label={name} {...register('scoped_teams')} />
        ))}
      </fieldset>
      <SelectField label="Expires" error={errors.expires_at?.message} {...register('expires_at')}>
        <Options of={expiries} />
      </SelectField>
      <CheckboxField
        label="Key of the organization"
        disabled={serviceReason !== null}
        hint={serviceReason ?? 'For a machine: it keeps working when you leave, and admins can revoke it.'}
        {...register('is_service')}
      />
      {create.error && <ProblemNote error={create.error} />}
      <FormActions onCancel={onClose} busy={create.isPending}>
        Create key
      </FormActions>
    </Form>
  )
}

/** Returns the scopes that the current key can grant, which are its own. */
function grantableScopes(own: readonly string[]): GrantedScope[] {
  const granted = allScopes.filter((scope) => allowsScope(own, scope))
  return own.includes('*') ? ['*', ...granted] : granted
}
