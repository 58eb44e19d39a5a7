import { useMutation } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { sessionChanges } from '../api/shown-session.ts'
import { sendAllNow } from '../ui/feedback/send-action.ts'

/**
 * Moves the session, which all tabs share, to another organization of the user, and loads `path` there: the whole page, so that
 * nothing of the organization before stays in it.
 */
export function useSwitchOrganization(path = '/') {
  return useMutation({
    async mutationFn(organization_id: string) {
      // What can still be undone belongs to the organization before.
      await sendAllNow()
      await call('switchOrganization', { body: { organization_id } })
      sessionChanges.post()
      location.assign(path)
    },
  })
}

/** Leaves the organization. The session goes on in another one of the user, or ends. */
export function useLeaveOrganization() {
  return useMutation({
    async mutationFn() {
      await sendAllNow()
      await call('leaveOrganization', { params: { organization_id: '@current' } })
      sessionChanges.post()
      location.assign('/')
    },
  })
}
