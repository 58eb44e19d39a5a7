import { useAccount } from '../../account.ts'
import { TextField } from '../../ui/controls/field.tsx'
import { copyHint, prefixHint, useCheckedConfigField, type DestinationFieldsProps } from './use-field.ts'

export function FolderFields({ instance, copied }: DestinationFieldsProps) {
  const { exports_folder: exportsFolder } = instance
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
          {exportsFolder && (
            <>
              Inside{' '}
              <code className="wrap-anywhere">
                {exportsFolder}/{projectId}
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
