import { useFormContext } from 'react-hook-form'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import { CheckboxField, SelectField, TextField } from '../../ui/controls/field.tsx'
import type { ExportValues } from '../values/export-values.ts'
import type { DestinationFieldsProps } from './destination-fields-props.ts'
import { plain, secretField } from './secret-field.ts'
import { copyHint, prefixHint, useCheckedConfigField, useCheckedField, useField } from './use-field.ts'

export function BucketFields({ secretsOf, isMoved, instance, copied }: DestinationFieldsProps) {
  const field = useField()
  const checked = useCheckedConfigField()
  const { getValues, setValue, register, watch } = useFormContext<ExportValues>()
  const { config } = destinationKinds[watch('destination.type')]
  const has = (name: string) => Object.hasOwn(config.shape, name)
  const fillRegion = () => {
    if (getValues('destination.config.region') === '')
      setValue('destination.config.region', 'us-east-1', { shouldDirty: true })
  }
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Bucket"
          {...plain}
          hint="The bucket’s name, without s3://."
          {...checked('bucket_name')}
        />
        <TextField
          label="Region"
          {...plain}
          suggestions={regions}
          placeholder="eu-central-1"
          {...field('destination.config.region')}
        />
      </div>
      <TextField
        label="Prefix"
        optional={has('endpoint_url')}
        {...plain}
        placeholder="events/{year}/{month}/"
        hint={`${copied === null ? '' : copyHint(copied)}Precedes each file’s name. ${prefixHint}`}
        {...checked('prefix')}
      />
      {has('endpoint_url') && (
        <>
          <SecretFields secretsOf={secretsOf} isMoved={isMoved} />
          <TextField
            label="Endpoint"
            optional
            {...plain}
            inputMode="url"
            placeholder="https://s3.example.com"
            hint={`Only for S3-compatible stores other than AWS; most use the region us-east-1.${instance.private_destinations_allowed ? '' : ' It must be on the public internet.'}`}
            {...checked('endpoint_url', fillRegion)}
          />
        </>
      )}
      {has('encryption') && <EncryptionFields />}
      {has('use_virtual_style_addressing') && (
        <CheckboxField
          label="Virtual-hosted addresses"
          hint="https://bucket.host/key instead of https://host/bucket/key."
          {...register('destination.config.use_virtual_style_addressing')}
        />
      )}
    </>
  )
}

function EncryptionFields() {
  const field = useField()
  const { watch } = useFormContext<ExportValues>()
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label="Encryption"
        hint="At rest, in the store."
        {...field('destination.config.encryption')}
      >
        <option value="">the bucket’s default</option>
        <option value="AES256">AES256</option>
        <option value="aws:kms">aws:kms</option>
      </SelectField>
      {watch('destination.config.encryption') === 'aws:kms' && (
        <TextField
          label="KMS key id"
          optional
          hint="Leave empty for the account’s default key."
          {...plain}
          {...field('destination.config.kms_key_id')}
        />
      )}
    </div>
  )
}

function SecretFields({ secretsOf, isMoved }: Pick<DestinationFieldsProps, 'secretsOf' | 'isMoved'>) {
  const checked = useCheckedField()
  const secret = (name: 'aws_access_key_id' | 'aws_secret_access_key') =>
    secretField(checked(`destination.config.${name}`), { secretsOf, isMoved })
  return (
    <div className="flex flex-col gap-1">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Access key id" {...secret('aws_access_key_id')} />
        <TextField label="Secret access key" {...secret('aws_secret_access_key')} />
      </div>
      <p className="text-xs text-ink-3">
        The key needs permission to read, write and delete under the prefix. It is stored encrypted and never
        shown again.
      </p>
    </div>
  )
}

/** Common regions, suggested while typing; any other can be typed. */
const regions = [
  'us-east-1',
  'us-east-2',
  'us-west-1',
  'us-west-2',
  'ca-central-1',
  'eu-central-1',
  'eu-north-1',
  'eu-south-1',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'ap-northeast-1',
  'ap-south-1',
  'ap-southeast-1',
  'ap-southeast-2',
  'sa-east-1',
]
