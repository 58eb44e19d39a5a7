import { useNavigate } from '@tanstack/react-router'
import { writeReason } from '../../../contract/runs/run-status.ts'
import { useAccount } from '../../account.ts'
import { useCreateRepairPlan } from '../../queries/exports/repair-plans.ts'
import { toastFailure } from '../../ui/feedback/toasts.ts'

/** Plans the repair of these exports, or of all, and opens the plan. */
export function useRepair(exportIds: readonly string[] | undefined) {
  const { projectId, scopes } = useAccount()
  const navigate = useNavigate()
  const create = useCreateRepairPlan(projectId)
  const plan = () =>
    create.mutate(exportIds, {
      onSuccess: ({ id }) => void navigate({ to: '/repair', search: { plan: id } }),
      onError: toastFailure('The repair could not be planned.'),
    })
  return { plan, busy: create.isPending, reason: writeReason(scopes) }
}
