import { defaultBatchRows, batchRowsMax } from '../../../contract/destinations/webhook.ts'
import { TextareaField, TextField } from '../../ui/controls/field.tsx'
import type { DestinationFieldsProps } from './destination-fields-props.ts'
import { plain, secretField } from './secret-field.ts'
import { useCheckedConfigField, useField } from './use-field.ts'

/** Fields of a receiver of requests. */
export function WebhookFields({ secretsOf, isMoved, instance }: DestinationFieldsProps) {
  const field = useField()
  const checked = useCheckedConfigField()
  const secret = secretField(checked('signing_secret'), { secretsOf, isMoved })
  const isKept = secretsOf === 'edited'
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_9rem]">
        <TextField
          label="URL"
          {...plain}
          inputMode="url"
          placeholder="https://example.com/spool"
          hint={`Receives a POST with a JSON array of rows. Everyone who can see this export sees the URL: enter tokens as headers.${instance.private_destinations_allowed ? '' : ' It must be on the public internet.'}`}
          {...checked('url')}
        />
        <TextField
          label="Rows per request"
          optional
          type="number"
          min={1}
          max={batchRowsMax}
          placeholder={String(defaultBatchRows)}
          {...field('destination.config.batch_size')}
        />
      </div>
      <TextareaField
        label="Headers"
        optional
        {...plain}
        placeholder="Authorization: Bearer …"
        hint={
          isMoved
            ? 'Enter the values again: a stored value is never sent to another address.'
            : 'One per line. Values are stored encrypted and never shown again; a name without a value keeps the stored one.'
        }
        {...checked('headers')}
      />
      <TextField
        label="Signing secret"
        {...secret}
        optional={!isMoved || !isKept}
        required={isMoved && isKept}
        hint={
          secret.hint ||
          (isKept ? undefined : 'Leave empty to let the service generate one, which is shown once.')
        }
        placeholder={isKept ? secret.placeholder : undefined}
      />
      <p className="text-xs text-ink-3">
        Rows are sent at least once: after an interruption, a request can arrive again with the same
        Idempotency-Key, by which the receiver recognises it. What was sent cannot be read back, so windows
        are not verified.
      </p>
    </>
  )
}
