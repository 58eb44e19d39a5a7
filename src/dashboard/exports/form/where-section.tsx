import type { ComponentType, Ref } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import type { Instance } from '../../../contract/instance.ts'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import {
  compressionsOf,
  FileFormat,
  fileFormats,
  type DestinationType,
} from '../../../contract/destinations/destination.ts'
import { configAfterChange } from '../../../contract/destinations/change-type.ts'
import { sendsElsewhere } from '../../../contract/destinations/moved-secrets.ts'
import { SelectField, TextField } from '../../ui/controls/field.tsx'
import { knownDestinations } from '../../format/destination.ts'
import { ConnectionField } from './connection-field.tsx'
import { DestinationGallery } from './destination-gallery.tsx'
import { BucketFields } from './bucket-fields.tsx'
import { ContainerFields } from './container-fields.tsx'
import { TestPanel } from './test-panel.tsx'
import type { DestinationFieldsProps } from './destination-fields-props.ts'
import { FolderFields, ServerFolderFields } from './folder-fields.tsx'
import { configOf, type ExportValues, type Origin } from '../values/export-values.ts'
import { TablePanel } from '../columns/table-panel.tsx'
import { TableFields } from './table-fields.tsx'
import { WebhookFields } from './webhook-fields.tsx'
import { Section } from './section.tsx'
import type { DestinationTestState } from './use-destination-test.ts'
import { useField } from './use-field.ts'

type WhereSectionProps = {
  instance: Instance
  origin: Origin | null
  test: DestinationTestState
  testRef: Ref<HTMLElement>
}

/** Fields for the destination and the file format. */
export function WhereSection({ instance, origin, test, testRef }: WhereSectionProps) {
  const { control } = useFormContext<ExportValues>()
  const [type, given, connection] = useWatch({
    control,
    name: ['destination.type', 'destination.config', 'destination.integration_id'],
  })
  const isOriginalType = origin?.destination.type === type
  const config = configOf(type, given, null)
  const isMoved =
    isOriginalType && connection === '' && sendsElsewhere(type, origin.destination.config ?? {}, config)
  const copied = isOriginalType ? placeOfOriginal(origin) : null
  const hasSecrets = destinationKinds[type].secrets.length > 0
  const { integration } = destinationKinds[type]
  const types = [...new Set([...knownDestinations(instance.destinations), type])].filter(
    (each) => origin?.kind !== 'edited' || canBecome(origin.destination.type, each),
  )
  const Fields = fieldsOf[type]
  return (
    <Section
      step={2}
      title="Where"
      aside={
        <TestPanel
          ref={testRef}
          type={type}
          test={test}
          secretsFrom={isOriginalType && !isMoved && hasSecrets ? storedWith[origin.kind] : null}
        />
      }
      below={
        destinationKinds[type].holds === 'table' && (
          <TablePanel
            origin={origin}
            instance={instance}
            testedAt={test.result?.ok && !test.isOutdated ? test.testedAt : null}
          />
        )
      }
    >
      <DestinationGallery types={types} chosen={type} hint={typeHint(origin, type)} />
      {integration && (
        <ConnectionField kind={integration.kind} isOptional={integration.replaces.length > 0} />
      )}
      <Fields
        secretsOf={isOriginalType && !isMoved ? origin.kind : null}
        isMoved={isMoved}
        copied={copied}
        instance={instance}
      />
      {destinationKinds[type].holds === 'files' && <FormatFields />}
    </Section>
  )
}

const fieldsOf: Record<DestinationType, ComponentType<DestinationFieldsProps>> = {
  S3: BucketFields,
  AwsS3: BucketFields,
  S3Compatible: BucketFields,
  AzureBlob: ContainerFields,
  SFTP: ServerFolderFields,
  File: FolderFields,
  Postgres: TableFields,
  MySQL: TableFields,
  ClickHouse: TableFields,
  Webhook: WebhookFields,
}

const storedWith: Record<Origin['kind'], string> = { edited: 'this export', cloned: 'the original' }

function canBecome(from: DestinationType, to: DestinationType): boolean {
  return from === to || configAfterChange(from, to, {}) !== null
}

function typeHint(origin: Origin | null, type: DestinationType): string | undefined {
  if (origin?.kind !== 'edited') return undefined
  return origin.destination.type === type
    ? 'A copy of the export can have any type.'
    : 'Files already written stay where they are.'
}

/** Returns the prefix or path of the export that is copied; null if none is. */
function placeOfOriginal({ kind, destination }: Origin): string | null {
  const place = destination.config?.[destinationKinds[destination.type].folderField]
  return kind === 'cloned' ? (typeof place === 'string' ? place : '') : null
}

function FormatFields() {
  const field = useField()
  const { control, setValue, getValues } = useFormContext<ExportValues>()
  const chosenFormat = useWatch({ control, name: 'destination.config.file_format' })
  const format = FileFormat.safeParse(chosenFormat).data ?? 'JSONLines'
  const formatField = field('destination.config.file_format', {
    onChange: (event: { target: { value: string } }) => {
      const next = FileFormat.safeParse(event.target.value).data ?? 'JSONLines'
      const chosen = getValues('destination.config.compression')
      // The service would reject a compression that the new format does not support.
      if (!compressionsOf[next].some((name) => name === chosen))
        setValue('destination.config.compression', '')
    },
  })
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <SelectField label="Format" {...formatField}>
        {fileFormats.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <SelectField label="Compression" {...field('destination.config.compression')}>
        <option value="">none</option>
        {compressionsOf[format].map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <TextField
        label="Maximum file size (MB)"
        optional
        type="number"
        min={1}
        hint="A manifest lists the parts."
        {...field('destination.config.max_file_size_mb')}
      />
    </div>
  )
}
