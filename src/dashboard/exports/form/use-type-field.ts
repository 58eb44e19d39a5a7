import { useFormContext } from 'react-hook-form'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import { DestinationType } from '../../../contract/destinations/destination.ts'
import { placeForType, type ExportValues } from '../values/export-values.ts'
import { useField } from './use-field.ts'

/** Connects the type of the destination; another type takes over the place of the files, but no connection of another kind. */
export function useTypeField() {
  const { getValues, setValue } = useFormContext<ExportValues>()
  const before = getValues('destination.type')
  return useField()('destination.type', {
    onChange: (event: { target: { value: string } }) => {
      const type = DestinationType.safeParse(event.target.value).data
      if (!type) return
      const place = placeForType(getValues('destination.config'), type)
      setValue(`destination.config.${destinationKinds[type].folderField}`, place, { shouldDirty: true })
      if (destinationKinds[before].integration?.kind !== destinationKinds[type].integration?.kind)
        setValue('destination.integration_id', '', { shouldDirty: true })
    },
  })
}
