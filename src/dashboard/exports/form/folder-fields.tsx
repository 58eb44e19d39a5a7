import { useAccount } from '../../account.ts'
import { TextField } from '../../ui/controls/field.tsx'
import type { DestinationFieldsProps } from './destination-fields-props.ts'
import { copyHint, prefixHint, useCheckedConfigField } from './use-field.ts'

export function FolderFields({ instance, copied }: DestinationFieldsProps) {
  const checked = useCheckedConfigField()
  const { projectId } = useAccount()
  return (
    <TextField
      label="Folder"
      autoComplete="off"
      spellCheck={false}
      placeholder="events/{year}/{month}"
      hint={
        <>
          {copied !== null && copyHint(copied)}
          {instance.exports_folder && (
            <>
              Inside{' '}
              <code className="wrap-anywhere">
                {instance.exports_folder}/{projectId}
              </code>
              .{' '}
            </>
          )}
          {prefixHint}
        </>
      }
      {...checked('path')}
    />
  )
}
