import { useFormContext } from 'react-hook-form'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import { CheckboxField, TextField } from '../../ui/controls/field.tsx'
import type { ExportValues } from '../values/export-values.ts'
import type { DestinationFieldsProps } from './destination-fields-props.ts'
import { plain, secretField } from './secret-field.ts'
import { useCheckedConfigField, useCheckedField, useField } from './use-field.ts'

/** Fields of a database, and of a table in it. */
export function TableFields({ secretsOf, isMoved }: DestinationFieldsProps) {
  const field = useField()
  const checked = useCheckedConfigField()
  const secret = useCheckedField()
  const { register, watch } = useFormContext<ExportValues>()
  const { integration, config } = destinationKinds[watch('destination.type')]
  const isInline = integration?.replaces.includes('host') && watch('destination.integration_id') === ''
  return (
    <>
      {isInline && (
        <>
          <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_8rem]">
            <TextField label="Host" {...plain} placeholder="db.example.com" {...checked('host')} />
            <TextField
              label="Port"
              optional
              type="number"
              min={1}
              placeholder="5432"
              {...field('destination.config.port')}
            />
          </div>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label="User"
              {...secretField(secret('destination.config.user'), { secretsOf, isMoved })}
              type="text"
            />
            <TextField
              label="Password"
              {...secretField(secret('destination.config.password'), { secretsOf, isMoved })}
            />
          </div>
        </>
      )}
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField label="Database" {...plain} {...checked('database')} />
        {Object.hasOwn(config.shape, 'schema') && (
          <TextField label="Schema" optional {...plain} placeholder="public" {...checked('schema')} />
        )}
        <TextField label="Table" optional {...plain} placeholder="events" {...checked('table_name')} />
      </div>
      <CheckboxField
        label="Append only"
        hint="For a table without the column _spool_window: a repeated window doubles its rows."
        {...register('destination.config.append_only')}
      />
    </>
  )
}
