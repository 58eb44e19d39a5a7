import { useState } from 'react'
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form'
import type { AlertChannel, ChannelType } from '../../../contract/alerts/alert-channel.ts'
import type { BodyInput } from '../../../contract/endpoints.ts'
import { changeAlerts } from '../../queries/alerts.ts'
import { Form, FormActions } from '../../ui/controls/form.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { issuesByField } from '../../ui/feedback/server-issues.ts'
import { toast } from '../../ui/feedback/toasts.ts'
import { TextareaField, TextField } from '../../ui/controls/field.tsx'
import { SecretDialog } from '../../ui/secret.tsx'
import { useSending } from '../use-sending.ts'
import { channelTypeNames } from '../../format/alert.ts'

type ChannelDialogProps = {
  type: ChannelType
  /** The channel to change; null adds one. */
  channel: AlertChannel | null
  onClose: () => void
}

/** Adds or changes a channel. A signing secret that the service generated is shown once. */
export function ChannelDialog({ type, channel, onClose }: ChannelDialogProps) {
  return (
    <SecretDialog
      title={channel ? `Edit ${channel.name}` : `Add a channel: ${channelTypeNames[type]}`}
      label="Signing secret"
      readyTitle="The channel is ready"
      about="Copy the signing secret now: it is shown only once. The receiver uses it to check that a message comes from this service, as .github/docs/alerts.md explains."
      onClose={onClose}
      renderForm={(onSecret) => (
        <ChannelForm type={type} channel={channel} onClose={onClose} onSecret={onSecret} />
      )}
    />
  )
}

const fieldNames = ['name', 'url', 'signing_secret', 'recipients'] as const
type ChannelValues = Record<(typeof fieldNames)[number], string>

type FormProps = ChannelDialogProps & { onSecret: (secret: string) => void }

function ChannelForm({ type, channel, onClose, onSecret }: FormProps) {
  const sending = useSending()
  const [rest, setRest] = useState<Error | null>(null)
  const form = useForm<ChannelValues>({
    defaultValues: {
      name: channel?.name ?? '',
      url: '',
      signing_secret: '',
      recipients: channel?.recipients.join('\n') ?? '',
    },
  })
  const { register, handleSubmit, setError, formState } = form
  const save = async (values: ChannelValues) => {
    setRest(null)
    try {
      if (channel) {
        const body = changesOf(type, values)
        await changeAlerts(sending, 'updateAlertChannel', { id: channel.id, body })
        toast(`Saved ${values.name}.`)
        return onClose()
      }
      const created = await changeAlerts(sending, 'createAlertChannel', { body: channelOf(type, values) })
      toast(`Added ${created.name}. Send a test to see a message arrive.`)
      if (created.signing_secret === null) onClose()
      else onSecret(created.signing_secret)
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
        label="Name"
        autoComplete="off"
        hint="Who is notified, such as “On call” or “#data-alerts”."
        error={formState.errors.name?.message}
        {...register('name')}
      />
      <TypeFields type={type} channel={channel} form={form} />
      {rest && <ProblemNote error={rest} />}
      <FormActions onCancel={onClose} busy={formState.isSubmitting}>
        {channel ? 'Save' : 'Add channel'}
      </FormActions>
    </Form>
  )
}

const urlHints: Record<Exclude<ChannelType, 'email'>, string> = {
  webhook: 'Receives a POST with JSON for each transition.',
  slack: 'Slack shows it under “Incoming Webhooks” of an app.',
  teams: 'Teams shows it in the workflow “Post to a channel when a webhook request is received”.',
}

type TypeFieldsProps = Pick<ChannelDialogProps, 'type' | 'channel'> & { form: UseFormReturn<ChannelValues> }

/** The fields that only some types of channels have. */
function TypeFields({ type, channel, form }: TypeFieldsProps) {
  const { register, control, formState } = form
  const { errors } = formState
  const url = useWatch({ control, name: 'url' })
  // A secret must be entered again with another URL.
  const isMoved = channel !== null && url.trim() !== ''
  if (type === 'email')
    return (
      <TextareaField
        label="Recipients"
        hint="One address per line."
        error={errors.recipients?.message}
        {...register('recipients')}
      />
    )
  return (
    <>
      <TextField
        label="URL"
        type="url"
        autoComplete="off"
        optional={channel !== null}
        placeholder={channel ? `${channel.origin}/••••` : 'https://hooks.example.com/…'}
        hint={
          channel
            ? 'Leave empty to keep the current URL, which is not shown because its path is a secret.'
            : urlHints[type]
        }
        error={errors.url?.message}
        {...register('url')}
      />
      {type === 'webhook' && (
        <TextField
          label="Signing secret"
          type="password"
          autoComplete="off"
          optional={!isMoved}
          required={isMoved}
          hint={
            isMoved
              ? 'Enter it again, or a new one: a stored secret is never used at another URL.'
              : channel
                ? 'Leave empty to keep the current secret.'
                : 'Leave empty to let the service generate one, which is shown once.'
          }
          error={errors.signing_secret?.message}
          {...register('signing_secret')}
        />
      )}
    </>
  )
}

/** Returns the channel to add. An empty optional field is not sent. */
function channelOf(type: ChannelType, values: ChannelValues): BodyInput<'createAlertChannel'> {
  const { name, url, signing_secret } = values
  if (type === 'email') return { type, name, recipients: addresses(values) }
  if (type === 'webhook') return { type, name, url: url.trim(), ...(signing_secret && { signing_secret }) }
  return { type, name, url: url.trim() }
}

/** Returns the changes of a channel: its type stays, and an empty URL or secret keeps the current one. */
function changesOf(type: ChannelType, values: ChannelValues): BodyInput<'updateAlertChannel'> {
  const { name, url, signing_secret } = values
  if (type === 'email') return { name, recipients: addresses(values) }
  return { name, ...(url.trim() && { url: url.trim() }), ...(signing_secret && { signing_secret }) }
}

function addresses({ recipients }: ChannelValues): string[] {
  return recipients.split(/[\s,;]+/).filter(Boolean)
}
