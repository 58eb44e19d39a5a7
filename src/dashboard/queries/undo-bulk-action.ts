import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { isStatus } from '../api/problem.ts'
import { toastFailure } from '../ui/feedback/toasts.ts'
import { bulkActionsQuery, showBulkAction } from './bulk-actions.ts'

/**
 * Returns a mutation that stops a bulk action and undoes what it has done. The action may have ended since the page was told
 * that it runs.
 */
export function useUndoBulkAction(projectId: string) {
  const client = useQueryClient()
  const { queryKey } = bulkActionsQuery(projectId)
  return useMutation({
    mutationFn: async (id: string) => {
      try {
        const action = await call('undoBulkAction', { params: { project_id: projectId, id }, body: {} })
        await showBulkAction(client, projectId, action)
      } catch (error) {
        const refreshed = client.invalidateQueries({ queryKey })
        if (!isStatus(error, 409)) throw error
        await refreshed
        const action = client.getQueryData(queryKey)?.results.find((other) => other.id === id)
        // Another tab has undone it, or it has changed nothing: the page now says so.
        if (action?.undo_until !== null) throw error
      }
    },
    onError: toastFailure('The bulk action could not be undone.'),
  })
}
