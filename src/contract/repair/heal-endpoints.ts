import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { HealChange, HealPlanDetails, HealPlanInput, HealPlanList, HealPlanQuery } from './heal-plan.ts'

const project = 'project_id'
const plans = '/api/projects/:project_id/heal_plans/'
const loads = { project, healPlan: 'id' } as const
const read = 'batch_export:read'
const write = 'batch_export:write'
const CursorQuery = z.object({ cursor: z.string().optional() })

/** The endpoints of heal plans. */
// prettier-ignore
export const healEndpoints = {
  listHealPlans:  { method: 'GET',   path: plans,               loads: { project }, scope: read,  query: CursorQuery, status: 200, response: HealPlanList, summary: 'List the heal plans of a project, newest first' },
  createHealPlan: { method: 'POST',  path: plans,               loads: { project }, scope: write, body: HealPlanInput, status: 201, response: HealPlanDetails, summary: 'Plan the repair of all missing, failed and short windows of a project or of some exports' },
  getHealPlan:    { method: 'GET',   path: `${plans}:id/`,      loads, scope: read,  query: HealPlanQuery, status: 200, response: HealPlanDetails, summary: 'Retrieve a heal plan with a page of its steps' },
  changeHealPlan: { method: 'PATCH', path: `${plans}:id/`,      loads, scope: write, body: HealChange, status: 200, response: HealPlanDetails, summary: 'Leave steps out of a heal plan, or include them again' },
  runHealPlan:    { method: 'POST',  path: `${plans}:id/run/`,  loads, scope: write, body: HealChange, status: 200, response: HealPlanDetails, summary: 'Run or resume a heal plan in the background, then verify its windows' },
  stopHealPlan:   { method: 'POST',  path: `${plans}:id/stop/`, loads, scope: write, body: z.object({}), status: 200, response: HealPlanDetails, summary: 'Stop a heal plan: runs that have not started are cancelled' },
} as const satisfies Record<string, Endpoint>
