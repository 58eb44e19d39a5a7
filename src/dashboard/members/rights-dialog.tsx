import { useState } from 'react'
import type { Member } from '../../contract/accounts/member.ts'
import { useAccount } from '../account.ts'
import { useChangeMember } from '../queries/members.ts'
import { Dialog } from '../ui/controls/dialog.tsx'
import { Form, FormActions } from '../ui/controls/form.tsx'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'
import { toast } from '../ui/feedback/toasts.ts'
import { memberName } from '../../contract/accounts/member-name.ts'
import { RightsFields, rightsReason } from './rights-fields.tsx'
import type { Rights } from '../../contract/accounts/roles.ts'
import { useRefreshUser } from './use-refresh-user.ts'

/** Changes the role and the projects of a member. */
export function RightsDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const [rights, setRights] = useState<Rights>(member)
  const change = useChangeMember()
  const { user } = useAccount()
  const refreshUser = useRefreshUser()
  const save = () => {
    const { role, project_roles } = rights
    const onSuccess = () => {
      if (member.id === user.uuid) void refreshUser()
      toast(`Changed what ${memberName(member)} may do.`)
      onClose()
    }
    change.mutate({ id: member.id, body: { role, project_roles } }, { onSuccess })
  }
  return (
    <Dialog title={`Role of ${memberName(member)}`} onClose={onClose}>
      <Form onSubmit={save}>
        <RightsFields rights={rights} onChange={setRights} />
        {change.error && <ProblemNote error={change.error} />}
        <FormActions onCancel={onClose} busy={change.isPending} reason={rightsReason(rights)}>
          Save
        </FormActions>
      </Form>
    </Dialog>
  )
}
