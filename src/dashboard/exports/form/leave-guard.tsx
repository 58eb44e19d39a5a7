import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

/** Asks before a page with unsaved changes is left; the browser asks by itself before it closes the tab. */
export function LeaveGuard({ active }: { active: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => active,
    enableBeforeUnload: () => active,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog
      title="Leave without saving?"
      action="Leave"
      back="Stay"
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    >
      What you changed here is not saved yet.
    </ConfirmDialog>
  )
}
