import { useState } from 'react'
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form'
import {
  retentionDaysMax,
  retentionDaysMin,
  type AuditReceiverInput,
  type AuditSettings,
} from '../../contract/audit/audit-settings.ts'
import { useChangeAuditSettings } from '../queries/audit-log.ts'
import { CheckboxField, SelectField, TextField } from '../ui/controls/field.tsx'
import { Form, FormActions } from '../ui/controls/form.tsx'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'
import { issuesByField } from '../ui/feedback/server-issues.ts'
import { toast } from '../ui/feedback/toasts.ts'
import { SecretDialog } from '../ui/secret.tsx'

type DialogProps = { settings: AuditSettings; onClose: () => void }

/** Changes how long the audit log is kept and where it is sent. A generated signing secret is shown once. */
export function AuditSettingsDialog({ settings, onClose }: DialogProps) {
  return (
    <SecretDialog
      title="Settings of the audit log"
      label="Signing secret"
      readyTitle="The receiver is ready"
      about="Copy the signing secret now: it is shown only once. The receiver uses it to check that a message comes from this service."
      onClose={onClose}
      renderForm={(onSecret) => <SettingsForm settings={settings} onClose={onClose} onSecret={onSecret} />}
    />
  )
}

const fieldNames = ['retention_days', 'receiver.url', 'receiver.host', 'receiver.port'] as const
type Kind = 'none' | 'webhook' | 'syslog'
type Values = {
  retention_days: string
  kind: Kind
  receiver: { url: string; host: string; port: string; tls: boolean }
}

function SettingsForm({ settings, onClose, onSecret }: DialogProps & { onSecret: (secret: string) => void }) {
  const change = useChangeAuditSettings()
  const [rest, setRest] = useState<Error | null>(null)
  const { receiver } = settings
  const syslog = receiver?.type === 'syslog' ? receiver : null
  const form = useForm<Values>({
    defaultValues: {
      retention_days: String(settings.retention_days),
      kind: receiver?.type ?? 'none',
      receiver: {
        url: '',
        host: syslog?.host ?? '',
        port: String(syslog?.port ?? 6514),
        tls: syslog?.tls ?? true,
      },
    },
  })
  const { register, handleSubmit, setError, formState } = form
  const save = async (values: Values) => {
    setRest(null)
    const given = receiverOf(values, settings)
    try {
      const saved = await change.mutateAsync({
        retention_days: Number(values.retention_days),
        ...(given !== undefined && { receiver: given }),
      })
      toast('Saved the settings of the audit log.')
      if (saved.signing_secret === null) onClose()
      else onSecret(saved.signing_secret)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const { fields, rest: others } = issuesByField(error, fieldNames)
      for (const { name, message } of fields.toReversed()) setError(name, { message }, { shouldFocus: true })
      if (others.length > 0) setRest(error)
    }
  }
  return (
    <Form noValidate onSubmit={handleSubmit(save)}>
      <TextField
        label="Days to keep entries"
        type="number"
        min={retentionDaysMin}
        max={retentionDaysMax}
        hint={`Older entries are deleted, ${retentionDaysMin} days at the earliest. A signed checkpoint proves that the rest is complete.`}
        error={formState.errors.retention_days?.message}
        {...register('retention_days')}
      />
      <SelectField
        label="Send new entries to"
        hint="Each entry is sent at least once, within seconds."
        {...register('kind')}
      >
        <option value="none">nobody</option>
        <option value="webhook">a webhook</option>
        <option value="syslog">a syslog server</option>
      </SelectField>
      <ReceiverFields form={form} settings={settings} />
      {rest && <ProblemNote error={rest} />}
      <FormActions onCancel={onClose} busy={formState.isSubmitting}>
        Save
      </FormActions>
    </Form>
  )
}

function ReceiverFields({
  form,
  settings: { receiver },
}: {
  form: UseFormReturn<Values>
  settings: AuditSettings
}) {
  const { register, control, formState } = form
  const errors = formState.errors.receiver
  const kind = useWatch({ control, name: 'kind' })
  if (kind === 'none') return null
  const stored = receiver?.type === 'webhook' ? receiver.origin : null
  if (kind === 'webhook')
    return (
      <TextField
        label="URL"
        type="url"
        autoComplete="off"
        optional={stored !== null}
        placeholder={stored ? `${stored}/••••` : 'https://siem.example.com/…'}
        hint={
          stored
            ? 'Leave empty to keep the current URL, which is not shown because its path is a secret. Another URL gets a new signing secret.'
            : 'Receives a signed POST with JSON. The signing secret is shown once.'
        }
        error={errors?.url?.message}
        {...register('receiver.url')}
      />
    )
  return (
    <>
      <TextField
        label="Host"
        autoComplete="off"
        placeholder="syslog.example.com"
        error={errors?.host?.message}
        {...register('receiver.host')}
      />
      <TextField label="Port" type="number" error={errors?.port?.message} {...register('receiver.port')} />
      <CheckboxField label="Encrypt with TLS" {...register('receiver.tls')} />
    </>
  )
}

/** Returns the receiver to send to from now on; undefined if it stays. */
function receiverOf(
  { kind, receiver }: Values,
  settings: AuditSettings,
): AuditReceiverInput | null | undefined {
  const { receiver: stored } = settings
  if (kind === 'none') return stored === null ? undefined : null
  const url = receiver.url.trim()
  if (kind === 'webhook')
    return url === '' && stored?.type === 'webhook' ? undefined : { type: 'webhook', url }
  const given = { type: kind, host: receiver.host.trim(), port: Number(receiver.port), tls: receiver.tls }
  const isSame =
    stored?.type === 'syslog' &&
    stored.host === given.host &&
    stored.port === given.port &&
    stored.tls === given.tls
  return isSame ? undefined : given
}
