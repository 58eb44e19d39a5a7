import { useFormContext } from 'react-hook-form'
import {
  compressionsOf,
  FileFormat,
  fileFormats,
  type Destination,
  type DestinationType,
} from '../../contract/destination.ts'
import { CheckboxField, SelectField, TextField } from '../ui/field.tsx'
import { destinationLabel } from '../words/destination.ts'
import type { ExportValues } from './export-values.ts'
import { Section } from './section.tsx'

type WhereSectionProps = {
  offered: readonly DestinationType[]
  stored: Destination | null
  exportsFolder: string | null
}

/** Where the files go, and in which form. */
export function WhereSection({ offered, stored, exportsFolder }: WhereSectionProps) {
  const { register, watch, formState } = useFormContext<ExportValues>()
  const type = watch('destination.type')
  return (
    <Section title="Where">
      <SelectField
        label="Destination"
        error={formState.errors.destination?.type?.message}
        hint={stored && stored.type !== type ? 'Another type starts from an empty configuration.' : undefined}
        {...register('destination.type')}
      >
        {[...new Set([...offered, type])].map((name) => (
          <option key={name} value={name}>
            {destinationLabel(name)}
          </option>
        ))}
      </SelectField>
      {type === 'S3' ? (
        <BucketFields keepsSecrets={stored?.type === 'S3'} />
      ) : (
        <FolderFields exportsFolder={exportsFolder} />
      )}
      <FormatFields />
    </Section>
  )
}

function useConfig() {
  const { register, formState } = useFormContext<ExportValues>()
  const errors = formState.errors.destination?.config
  return (name: keyof ExportValues['destination']['config']) => ({
    ...register(`destination.config.${name}`),
    error: errors?.[name]?.message,
  })
}

const prefixHint =
  '{year} {month} {day} {hour} {minute} {second} of the interval’s end, {data_interval_start}, {data_interval_end} and {table} are filled in.'

function BucketFields({ keepsSecrets }: { keepsSecrets: boolean }) {
  const config = useConfig()
  const { watch } = useFormContext<ExportValues>()
  const secret = {
    type: 'password',
    autoComplete: 'off',
    spellCheck: false,
    ...(keepsSecrets ? { placeholder: 'unchanged — type to replace' } : {}),
  }
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Bucket" autoComplete="off" {...config('bucket_name')} />
        <TextField label="Region" placeholder="eu-central-1" {...config('region')} />
      </div>
      <TextField
        label="Prefix"
        optional
        placeholder="events/{year}/{month}/"
        hint={prefixHint}
        {...config('prefix')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Access key id" {...secret} {...config('aws_access_key_id')} />
        <TextField label="Secret access key" {...secret} {...config('aws_secret_access_key')} />
      </div>
      <TextField
        label="Endpoint"
        optional
        placeholder="https://s3.example.com"
        hint="Only for stores other than AWS: any that speak S3."
        {...config('endpoint_url')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="Encryption" {...config('encryption')}>
          <option value="">the bucket’s own</option>
          <option value="AES256">AES256</option>
          <option value="aws:kms">aws:kms</option>
        </SelectField>
        {watch('destination.config.encryption') === 'aws:kms' && (
          <TextField label="KMS key id" {...config('kms_key_id')} />
        )}
      </div>
      <VirtualStyle />
    </>
  )
}

function VirtualStyle() {
  const { register } = useFormContext<ExportValues>()
  return (
    <CheckboxField
      label="Virtual-hosted addresses"
      hint="https://bucket.host/key instead of https://host/bucket/key."
      {...register('destination.config.use_virtual_style_addressing')}
    />
  )
}

function FolderFields({ exportsFolder }: { exportsFolder: string | null }) {
  const config = useConfig()
  return (
    <TextField
      label="Folder"
      placeholder="events/{year}/{month}"
      hint={
        <>
          {exportsFolder && (
            <>
              Inside <code className="wrap-anywhere">{exportsFolder}</code>.{' '}
            </>
          )}
          {prefixHint}
        </>
      }
      {...config('path')}
    />
  )
}

function FormatFields() {
  const config = useConfig()
  const { watch, setValue } = useFormContext<ExportValues>()
  const format = FileFormat.safeParse(watch('destination.config.file_format')).data ?? 'JSONLines'
  const { onChange, ...formatField } = config('file_format')
  const changeFormat: typeof onChange = async (event: { target: { value: string } }) => {
    await onChange(event)
    const next = FileFormat.safeParse(event.target.value).data ?? 'JSONLines'
    const chosen = watch('destination.config.compression')
    // A compression that the new format does not take would only be refused.
    if (!compressionsOf[next].some((name) => name === chosen)) setValue('destination.config.compression', '')
  }
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <SelectField label="Format" {...formatField} onChange={(event) => void changeFormat(event)}>
        {fileFormats.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField label="Compression" {...config('compression')}>
        <option value="">none</option>
        {compressionsOf[format].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Split files at"
        optional
        type="number"
        min={1}
        placeholder="MB"
        {...config('max_file_size_mb')}
      />
    </div>
  )
}
