import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyInput } from '../../../contract/endpoints.ts'
import type { FailureCauseGroup } from '../../../contract/runs/failure-cause.ts'
import { useAccount } from '../../account.ts'
import { startBulkAction, useBulkProgress } from '../../queries/bulk-actions.ts'
import { sendAction } from '../../ui/feedback/send-action.ts'

/** Starts bulk actions, one after the other; `busy` until they have ended and the causes are fetched again. */
export function useBulkActions(start: string) {
  const { projectId } = useAccount()
  const client = useQueryClient()
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle')
  const isInProgress = useBulkProgress(projectId, 'exports') !== null
  const isFetching = useIsFetching({ queryKey: ['failureCauses'] }) > 0
  const perform = async (failed: string, bodies: readonly BodyInput<'createBulkAction'>[]) => {
    setState('sending')
    for (const body of bodies)
      await sendAction({ failed, send: () => startBulkAction(client, projectId, body) })
    setState('sent')
  }
  const retryAll = (causes: readonly FailureCauseGroup[]) =>
    perform(
      'The windows could not be retried.',
      causes.map(({ key }) => ({ action: 'export_windows', filter: { cause: key, after: start } })),
    )
  const busy = state === 'sending' || (state === 'sent' && (isInProgress || isFetching))
  return { busy, perform, retryAll }
}
