import { useAccount } from '../../account.ts'
import { TextField } from '../../ui/controls/field.tsx'
import type { DestinationFieldsProps } from './destination-fields-props.ts'
import { plain } from './secret-field.ts'
import { copyHint, prefixHint, useCheckedConfigField } from './use-field.ts'

/** Fields of a folder on the service's disk. */
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

/** Fields of a folder on an SFTP server. */
export function ServerFolderFields({ copied }: DestinationFieldsProps) {
  const checked = useCheckedConfigField()
  return (
    <TextField
      label="Folder"
      {...plain}
      placeholder="exports/events/{year}/{month}"
      hint={`${copied === null ? '' : copyHint(copied)}Relative to the user’s start folder, unless it begins with a slash. ${prefixHint}`}
      {...checked('path')}
    />
  )
}
