import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm, type UseFormRegisterReturn } from 'react-hook-form'
import { z } from 'zod'
import { PersonalApiKeyCreate } from '../../contract/accounts/api-key.ts'
import { allowsScope, scopes as allScopes, type Scope } from '../../contract/accounts/scopes.ts'
import { GrantedScope } from '../../contract/accounts/scope-schema.ts'
import { useAccount } from '../account.ts'
import { useCreateApiKey } from '../queries/api-keys.ts'
import { FormActions } from '../ui/controls/form.tsx'
import { Dialog } from '../ui/controls/dialog.tsx'
import { CheckboxField, TextField } from '../ui/controls/field.tsx'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'
import { NewSecret } from '../ui/secret.tsx'
import { scopeInWords } from '../format/scope.ts'
import { lengthMessage } from '../ui/feedback/field-message.ts'
import { issuesByField } from '../ui/feedback/server-issues.ts'

type KeyValues = { label: string; scopes: GrantedScope[]; projects: string[] }

/** Converts form values into a request. Checkbox values are strings; no selected project means no limit. */
const keySchema = z
  .custom<KeyValues>()
  .transform(({ label, scopes, projects }, context): PersonalApiKeyCreate => {
    const key = { label, scopes, scoped_teams: projects.length === 0 ? null : projects.map(Number) }
    const parsed = PersonalApiKeyCreate.safeParse(key, { error: lengthMessage })
    if (parsed.success) return parsed.data
    for (const { path, message } of parsed.error.issues)
      context.addIssue({ code: 'custom', path: [...path], message })
    return z.NEVER
  })

export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const [value, setValue] = useState<string | null>(null)
  return (
    <Dialog
      title={value === null ? 'New API key' : 'The key is ready'}
      persistent={value !== null}
      onClose={onClose}
    >
      {value === null ? (
        <KeyForm onClose={onClose} onCreated={setValue} />
      ) : (
        <NewSecret label="API key" value={value} onDone={onClose}>
          Copy the key now: it is shown only once, and the service stores only its hash.
        </NewSecret>
      )}
    </Dialog>
  )
}

function KeyForm({ onClose, onCreated }: { onClose: () => void; onCreated: (value: string) => void }) {
  const { scopes: own, projects, apiKey } = useAccount()
  const create = useCreateApiKey()
  const limited = apiKey.scoped_teams !== null
  const { register, handleSubmit, setError, formState } = useForm<KeyValues, unknown, PersonalApiKeyCreate>({
    // A key limited to projects can only create keys with the same limit.
    defaultValues: {
      label: '',
      scopes: ['batch_export:read'],
      projects: limited ? projects.map(({ id }) => String(id)) : [],
    },
    resolver: zodResolver(keySchema),
  })
  const { errors } = formState
  const save = async (body: PersonalApiKeyCreate) => {
    try {
      const created = await create.mutateAsync(body)
      onCreated(created.value)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      for (const { name, message } of issuesByField(error, ['label', 'scopes']).fields)
        setError(name, { message })
    }
  }
  const submit = handleSubmit(save)
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={(event) => void submit(event)}>
      <TextField
        label="Label"
        autoComplete="off"
        hint="What the key is for, so that you know later which one to revoke."
        error={errors.label?.message}
        {...register('label')}
      />
      <ScopeChoice own={own} field={register('scopes')} error={errors.scopes?.message} />
      <ProjectChoice projects={projects} limited={limited} field={register('projects')} />
      {create.error && <ProblemNote error={create.error} />}
      <FormActions onCancel={onClose} busy={create.isPending}>
        Create key
      </FormActions>
    </form>
  )
}

type ScopeChoiceProps = { own: readonly string[]; field: UseFormRegisterReturn; error: string | undefined }

function ScopeChoice({ own, field, error }: ScopeChoiceProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">This key may</legend>
      {grantableScopes(own).map((scope) => (
        <CheckboxField
          key={scope}
          value={scope}
          label={scopeInWords(scope)}
          hint={<code>{scope}</code>}
          {...field}
        />
      ))}
      {error && <p className="text-fail-ink">{error}</p>}
    </fieldset>
  )
}

type ProjectChoiceProps = {
  projects: readonly { id: number; name: string }[]
  limited: boolean
  field: UseFormRegisterReturn
}

function ProjectChoice({ projects, limited, field }: ProjectChoiceProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">
        Only in these projects
        {!limited && <span className="font-normal text-ink-3"> (none selected: all)</span>}
      </legend>
      {projects.map(({ id, name }) => (
        <CheckboxField key={id} value={String(id)} label={name} {...field} />
      ))}
    </fieldset>
  )
}

/** Returns the scopes that the current key can grant, which are its own. */
function grantableScopes(own: readonly string[]): GrantedScope[] {
  const granted = allScopes.filter((scope: Scope) => allowsScope(own, scope))
  return own.includes('*') ? ['*', ...granted] : granted
}
