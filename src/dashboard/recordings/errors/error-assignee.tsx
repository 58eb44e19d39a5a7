import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount } from '../../account.ts'
import { useAssignees } from '../../queries/triage.ts'
import { AssigneeMenu, type PickerProps } from '../../ui/assignee/assignee-menu.tsx'
import { AssigneePicker } from '../../ui/assignee/assignee-picker.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { assignErrors, assignReason, namedErrors, type ErrorContext, type ErrorRow } from './error-actions.ts'

/** Returns what the actions on errors need, and the dialog that they may open. */
export function useErrorContext(open: (row: ErrorRow) => void) {
  const { projectId, me } = useAccount()
  const client = useQueryClient()
  const [assigning, setAssigning] = useState<readonly ErrorRow[]>([])
  const context: ErrorContext = { client, projectId, me, open, assign: setAssigning }
  const close = () => setAssigning([])
  const dialog = assigning.length > 0 && (
    <AssignDialog
      rows={assigning}
      onClose={close}
      onChoose={(assignee) => {
        close()
        void assignErrors(context, assigning, assignee)
      }}
    />
  )
  return { context, dialog }
}

/** Shows who works on an error, and assigns it. */
export function ErrorAssignee({ row }: { row: ErrorRow }) {
  const { projectId, scopes } = useAccount()
  const client = useQueryClient()
  return (
    <AssigneeMenu
      of={row.pattern}
      assignee={row.assignee}
      reason={assignReason(scopes)}
      Picker={ErrorAssigneePicker}
      onChoose={(assignee) => void assignErrors({ client, projectId }, [row], assignee)}
    />
  )
}

/** Chooses who works on an error, among the members who can see errors. */
function ErrorAssigneePicker(props: PickerProps) {
  const { projectId, user } = useAccount()
  return <AssigneePicker me={user.uuid} {...useAssignees('errorAssignees', projectId)} {...props} />
}

type AssignDialogProps = {
  rows: readonly ErrorRow[]
  onChoose: PickerProps['onChoose']
  onClose: () => void
}

/** Asks to whom errors are assigned. */
function AssignDialog({ rows, onChoose, onClose }: AssignDialogProps) {
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
