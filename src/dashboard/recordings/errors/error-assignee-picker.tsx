import { useAccount } from '../../account.ts'
import { useAssignees } from '../../queries/triage.ts'
import type { PickerProps } from '../../ui/assignee/assignee-menu.tsx'
import { AssigneePicker } from '../../ui/assignee/assignee-picker.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { namedErrors, type ErrorRow } from './error-actions.ts'

/** Chooses who works on an error, among the members who can see errors. */
export function ErrorAssigneePicker(props: PickerProps) {
  const { projectId, user } = useAccount()
  return <AssigneePicker me={user.uuid} {...useAssignees('errorAssignees', projectId)} {...props} />
}

type AssignDialogProps = {
  rows: readonly ErrorRow[]
  onChoose: PickerProps['onChoose']
  onClose: () => void
}

/** Asks to whom errors are assigned. */
export function AssignDialog({ rows, onChoose, onClose }: AssignDialogProps) {
  const [first, ...others] = rows
  const isOne = others.every(({ assignee }) => assignee?.uuid === first?.assignee?.uuid)
  return (
    <Dialog title={`Assign ${namedErrors(rows)}`} onClose={onClose}>
      <div className="-m-4">
        <ErrorAssigneePicker assignee={isOne ? first?.assignee : undefined} onChoose={onChoose} />
      </div>
    </Dialog>
  )
}
