import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { HealthQuery, ProjectHealth } from './project-health.ts'
import {
  RepairChange,
  RepairPlanDetails,
  RepairPlanInput,
  RepairPlanList,
  RepairPlanQuery,
} from './repair-plan.ts'

const project = 'project_id'
const plans = '/api/projects/:project_id/repair_plans/'
const loads = { project, repairPlan: 'id' } as const
const read = 'batch_export:read'
const write = 'batch_export:write'
const CursorQuery = z.object({ cursor: z.string().optional() })

/** The endpoints of the home page and of repair plans. */
// prettier-ignore
export const repairEndpoints = {
  listRepairPlans:  { method: 'GET',   path: plans,               loads: { project }, scope: read,  query: CursorQuery, status: 200, response: RepairPlanList, summary: 'List the repair plans of a project, newest first' },
  createRepairPlan: { method: 'POST',  path: plans,               loads: { project }, scope: write, body: RepairPlanInput, status: 201, response: RepairPlanDetails, summary: 'Plan the repair of all missing, failed and short windows of a project or of some exports' },
  getRepairPlan:    { method: 'GET',   path: `${plans}:id/`,      loads, scope: read,  query: RepairPlanQuery, status: 200, response: RepairPlanDetails, summary: 'Retrieve a repair plan with a page of its steps' },
  changeRepairPlan: { method: 'PATCH', path: `${plans}:id/`,      loads, scope: write, body: RepairChange, status: 200, response: RepairPlanDetails, summary: 'Leave steps out of a repair plan, or include them again' },
  runRepairPlan:    { method: 'POST',  path: `${plans}:id/run/`,  loads, scope: write, body: RepairChange, status: 200, response: RepairPlanDetails, summary: 'Run or resume a repair plan in the background, then verify its windows' },
  stopRepairPlan:   { method: 'POST',  path: `${plans}:id/stop/`, loads, scope: write, body: z.object({}), status: 200, response: RepairPlanDetails, summary: 'Stop a repair plan: runs that have not started are cancelled' },

  healthOfProject: { method: 'GET', path: '/api/projects/:project_id/health/', loads: { project }, scope: read, query: HealthQuery, status: 200, response: ProjectHealth, summary: 'Retrieve the health of a project in numbers' },
} as const satisfies Record<string, Endpoint>
