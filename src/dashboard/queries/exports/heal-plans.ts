import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { HealPlan, HealPlanDetails } from '../../../contract/repair/heal-plan.ts'
import { call } from '../../api/call.ts'
import { endpointQuery, invalidate, keepRowsOf } from '../endpoint-query.ts'
import { live, paceOf } from '../live.ts'
import { runEndpoints } from './run-endpoints.ts'

type Plan = { projectId: string; id: string }

const paramsOf = ({ projectId, id }: Plan) => ({ project_id: projectId, id })
/** A plan that runs, or whose rows are being counted, changes often. */
const isBusy = ({ status, rows_expected }: HealPlan) =>
  status === 'Running' || (status === 'Planned' && rows_expected === null)

export function healPlansQuery(projectId: string, cursor?: string) {
  const params = { project_id: projectId }
  return {
    ...endpointQuery('listHealPlans', { params, query: cursor === undefined ? {} : { cursor } }),
    placeholderData: keepRowsOf(params),
    ...live(({ results }: { results: HealPlan[] }) => paceOf(results.some(isBusy))),
  }
}

/** A plan with the steps from `offset` on. */
export function healPlanQuery(plan: Plan, offset: number) {
  const params = paramsOf(plan)
  return {
    ...endpointQuery('getHealPlan', { params, query: { offset } }),
    placeholderData: keepRowsOf(params),
    ...live((details: HealPlanDetails) => paceOf(isBusy(details))),
  }
}

/** Plans the repair of all exports of a project, or of those given. */
export function useCreateHealPlan(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (exportIds?: readonly string[]) =>
      call('createHealPlan', {
        params: { project_id: projectId },
        body: exportIds ? { batch_export_ids: [...exportIds] } : {},
      }),
    onSuccess: () => invalidate(client, 'listHealPlans'),
  })
}

export function useRunHealPlan(plan: Plan) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('runHealPlan', { params: paramsOf(plan), body: {} }),
    onSettled: () => afterHealing(client),
  })
}

export function useStopHealPlan(plan: Plan) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('stopHealPlan', { params: paramsOf(plan), body: {} }),
    onSettled: () => afterHealing(client),
  })
}

/** Leaves a step out, or includes it again. */
export function useIncludeStep(plan: Plan) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ step, included }: { step: number; included: boolean }) =>
      call('changeHealPlan', {
        params: paramsOf(plan),
        body: included ? { include: [step] } : { leave_out: [step] },
      }),
    onSettled: () => invalidate(client, 'getHealPlan', 'listHealPlans'),
  })
}

function afterHealing(client: QueryClient): Promise<void> {
  return invalidate(client, 'getHealPlan', 'listHealPlans', 'healthOfProject', ...runEndpoints)
}
