import { TextField } from '../../ui/controls/field.tsx'
import type { DestinationFieldsProps } from './destination-fields-props.ts'
import { plain } from './secret-field.ts'
import { copyHint, prefixHint, useCheckedConfigField } from './use-field.ts'

/** Fields of a container of Azure. */
export function ContainerFields({ copied }: DestinationFieldsProps) {
  const checked = useCheckedConfigField()
  return (
    <>
      <TextField label="Container" {...plain} {...checked('container_name')} />
      <TextField
        label="Prefix"
        optional
        {...plain}
        placeholder="events/{year}/{month}/"
        hint={`${copied === null ? '' : copyHint(copied)}Precedes each file’s name. ${prefixHint}`}
        {...checked('prefix')}
      />
    </>
  )
}
