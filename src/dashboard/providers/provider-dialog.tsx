import { useState } from 'react'
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form'
import type { IdentityProvider } from '../../contract/accounts/identity-provider.ts'
import { useCreateProvider, useUpdateProvider } from '../queries/identity-providers.ts'
import { Dialog } from '../ui/controls/dialog.tsx'
import { CheckboxField, TextareaField, TextField } from '../ui/controls/field.tsx'
import { Form, FormActions } from '../ui/controls/form.tsx'
import { CopyButton } from '../ui/feedback/copy-button.tsx'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'
import { issuesByField } from '../ui/feedback/server-issues.ts'
import { toast } from '../ui/feedback/toasts.ts'
import { MappingFields } from './mapping-fields.tsx'
import { addressesOf, settingsOf, valuesOf, type ProviderValues } from './provider-values.ts'

type DialogProps = {
  /** The provider to change; null adds one. */
  provider: IdentityProvider | null
  onClose: () => void
}

export function ProviderDialog({ provider, onClose }: DialogProps) {
  return (
    <Dialog
      kind="drawer"
      title={provider ? `Edit ${provider.name}` : 'Add an identity provider'}
      onClose={onClose}
    >
      <ProviderForm provider={provider} onClose={onClose} />
    </Dialog>
  )
}

const fieldNames = [
  'name',
  'id',
  'issuer',
  'client_id',
  'client_secret',
  'scopes',
  'groups_claim',
  'allowed_domains',
  'allowed_groups',
] as const

function ProviderForm({ provider, onClose }: DialogProps) {
  const [create, update] = [useCreateProvider(), useUpdateProvider()]
  const [rest, setRest] = useState<Error | null>(null)
  const form = useForm<ProviderValues>({ defaultValues: valuesOf(provider) })
  const { handleSubmit, setError, formState } = form
  const save = async (values: ProviderValues) => {
    setRest(null)
    const { name, client_id, issuer, ...settings } = settingsOf(values)
    const identity = { name: name ?? '', client_id: client_id ?? '', issuer: issuer ?? '' }
    try {
      if (provider) await update.mutateAsync({ id: provider.id, body: { ...settings, ...identity } })
      else
        await create.mutateAsync({
          ...settings,
          ...identity,
          id: values.id,
          client_secret: values.client_secret,
        })
      toast(
        provider
          ? `Saved ${values.name}.`
          : `Added ${values.name}. Test it, then sign in with it in a private window.`,
      )
      onClose()
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const { fields, rest: others } = issuesByField(error, fieldNames)
      for (const { name: field, message } of fields.toReversed())
        setError(field, { message }, { shouldFocus: true })
      if (others.length > 0) setRest(error)
    }
  }
  return (
    <Form noValidate onSubmit={handleSubmit(save)}>
      <IdentityFields form={form} provider={provider} />
      <AccessFields form={form} />
      <MappingFields form={form} />
      {rest && <ProblemNote error={rest} />}
      <FormActions onCancel={onClose} busy={formState.isSubmitting}>
        {provider ? 'Save' : 'Add provider'}
      </FormActions>
    </Form>
  )
}

type FieldsProps = { form: UseFormReturn<ProviderValues> }

/** What the provider is, and how this service is registered there. */
function IdentityFields({ form, provider }: FieldsProps & Pick<DialogProps, 'provider'>) {
  const { register, control, formState } = form
  const { errors } = formState
  const [id, issuer] = useWatch({ control, name: ['id', 'issuer'] })
  const isMoved = provider !== null && issuer.trim() !== provider.issuer
  return (
    <>
      <TextField
        label="Name"
        autoComplete="off"
        hint="On the button of the login page: Sign in with …"
        error={errors.name?.message}
        {...register('name')}
      />
      {!provider && (
        <TextField
          label="Id"
          autoComplete="off"
          placeholder="company"
          hint="Part of the URLs below; it cannot be changed later. Lowercase letters, digits and hyphens."
          error={errors.id?.message}
          {...register('id')}
        />
      )}
      <Addresses id={id === '' ? '…' : id} />
      <TextField
        label="Issuer"
        type="url"
        autoComplete="off"
        placeholder="https://login.company.example"
        hint="The provider shows its settings at this address, followed by /.well-known/openid-configuration."
        error={errors.issuer?.message}
        {...register('issuer')}
      />
      <TextField
        label="Client id"
        autoComplete="off"
        error={errors.client_id?.message}
        {...register('client_id')}
      />
      <TextField
        label="Client secret"
        type="password"
        autoComplete="off"
        optional={provider !== null && !isMoved}
        hint={
          isMoved
            ? 'Enter it again: a stored secret is only sent to the issuer for which it was entered. Members are then found by their e-mail address again.'
            : provider
              ? 'Leave empty to keep the current secret.'
              : 'Stored encrypted, and never shown again.'
        }
        error={errors.client_secret?.message}
        {...register('client_secret')}
      />
    </>
  )
}

/** The addresses to enter at the provider. */
function Addresses({ id }: { id: string }) {
  const { callback, logout } = addressesOf(location.origin, id)
  return (
    <dl className="flex flex-col gap-2 rounded-md border border-line bg-sunken px-3 py-2">
      {[
        ['Redirect URL', callback],
        ['Back-channel logout URL', logout],
      ].map(([name = '', url = '']) => (
        <div key={name}>
          <dt className="text-xs text-ink-3">{name}</dt>
          <dd className="flex items-center gap-2">
            <code className="min-w-0 flex-1 wrap-anywhere">{url}</code>
            <CopyButton name={name} text={url} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** What is asked of the provider, and who may sign in at all. */
function AccessFields({ form: { register, formState } }: FieldsProps) {
  const { errors } = formState
  return (
    <>
      <TextField
        label="Scopes"
        autoComplete="off"
        hint="What is asked of the provider. Some need one for groups, such as groups."
        error={errors.scopes?.message}
        {...register('scopes')}
      />
      <TextField
        label="Groups claim"
        autoComplete="off"
        hint="Name of the claim that lists a person's groups."
        error={errors.groups_claim?.message}
        {...register('groups_claim')}
      />
      <TextField
        label="Allowed e-mail domains"
        optional
        autoComplete="off"
        placeholder="company.example"
        hint="Only people with a confirmed address of these domains sign in."
        error={errors.allowed_domains?.message}
        {...register('allowed_domains')}
      />
      <TextareaField
        label="Allowed groups"
        optional
        hint="One per line. Only people in one of them sign in."
        error={errors.allowed_groups?.message}
        {...register('allowed_groups')}
      />
      <CheckboxField
        label="Addresses from this provider count as confirmed"
        hint="Only for a provider that your company runs and that does not send email_verified, such as Microsoft Entra ID."
        {...register('trusts_email')}
      />
    </>
  )
}
