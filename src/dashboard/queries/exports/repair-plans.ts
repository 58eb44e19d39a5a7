import type { RepairPlan, RepairPlanDetails } from '../../../contract/repair/repair-plan.ts'
import { call } from '../../api/call.ts'
import { endpointQuery, keepRowsOf } from '../endpoint-query.ts'
import { useChange } from '../use-change.ts'
import { live, paceOf } from '../live.ts'
import { runEndpoints } from './overview.ts'

type Plan = { projectId: string; id: string }

const paramsOf = ({ projectId, id }: Plan) => ({ project_id: projectId, id })
/** A plan that runs, or whose rows are being counted, changes often. */
const isBusy = ({ status, rows_counted }: RepairPlan) =>
  status === 'Running' || (status === 'Planned' && !rows_counted)

export function repairPlansQuery(projectId: string, cursor?: string) {
  const params = { project_id: projectId }
  return {
    ...endpointQuery('listRepairPlans', { params, query: { cursor } }),
    placeholderData: keepRowsOf(params),
    ...live(({ results }: { results: RepairPlan[] }) => paceOf(results.some(isBusy))),
  }
}

/** A plan with the steps from `offset` on. */
export function repairPlanQuery(plan: Plan, offset: number) {
  const params = paramsOf(plan)
  return {
    ...endpointQuery('getRepairPlan', { params, query: { offset } }),
    placeholderData: keepRowsOf(params),
    ...live((details: RepairPlanDetails) => paceOf(isBusy(details))),
  }
}

/** Plans the repair of all exports of a project, or of those given. */
export function useCreateRepairPlan(projectId: string) {
  return useChange(
    (exportIds: readonly string[] | undefined) =>
      call('createRepairPlan', {
        params: { project_id: projectId },
        body: exportIds ? { batch_export_ids: [...exportIds] } : {},
      }),
    ['listRepairPlans'],
    'onSuccess',
  )
}

const planEndpoints = ['getRepairPlan', 'listRepairPlans'] as const
const repairedEndpoints = [...planEndpoints, 'healthOfProject', ...runEndpoints] as const

/** Includes these steps, then runs the plan. */
export function useRunRepairPlan(plan: Plan) {
  return useChange(
    (include: number[]) => call('runRepairPlan', { params: paramsOf(plan), body: { include } }),
    repairedEndpoints,
  )
}

export function useStopRepairPlan(plan: Plan) {
  return useChange(() => call('stopRepairPlan', { params: paramsOf(plan), body: {} }), repairedEndpoints)
}

/** Leaves steps out, or includes them again. */
export function useIncludeSteps(plan: Plan) {
  return useChange(
    ({ steps, included }: { steps: number[]; included: boolean }) =>
      call('changeRepairPlan', {
        params: paramsOf(plan),
        body: included ? { include: steps } : { leave_out: steps },
      }),
    planEndpoints,
  )
}
