import {
  repairPeriod,
  repairPageSize,
  repairPlanCan,
  repairStepsMax,
  RepairPlan,
  type RepairPlanDetails,
  RepairStep,
} from '../../../contract/repair/repair-plan.ts'
import type { Window } from '../../../contract/interval.ts'
import { planRepair } from '../../background/plan-repair.ts'
import { runRepairPlan as startPlan, stopRepairPlan as stopPlan } from '../../background/run-repair-plans.ts'
import { conflict, invalidInput, unknownId } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { exportsByName } from '../../store/runs/batch-exports.ts'
import { failuresToFix } from '../../store/runs/failure-causes.ts'
import { backfillsAtOnce } from '../../runs/fair-order.ts'
import { errorInWords } from '../../../contract/runs/run-error.ts'
import { inTransaction, type StoreTransaction } from '../../store/schema/database.ts'
import {
  changeSteps,
  lockRepairPlan,
  pageOfRepairPlans,
  pageOfSteps,
  totalsOfPlans,
  type RepairPlanRow,
  type NamedStep,
  type PlanTotals,
} from '../../store/repair/repair-plans.ts'
import { isUuid } from '../../auth/uuid.ts'
import { readCursor, showCursorPage } from '../cursor-page.ts'
import type { ApiRequest, Handler } from '../handler.ts'
import { readInstant } from '../given-times.ts'
import { shownAs } from '../shown-as.ts'

const dayMs = 86_400_000
/** Longest period of a plan, in days. */
const repairDaysMax = 366

export const listRepairPlans: Handler<'listRepairPlans'> = async ({ services, project, query, link }) => {
  const position = readCursor(query.cursor)
  const page = await pageOfRepairPlans(services.store, project.id, position)
  const totals = await totalsOfPlans(services.store, page?.rows.map(({ id }) => id) ?? [])
  return showCursorPage(page, link, (row) => showPlan(services, row, totals.get(row.id)))
}

export const createRepairPlan: Handler<'createRepairPlan'> = async (request) => {
  const { services, caller, project, body } = request
  const ids = body.batch_export_ids ? [...new Set(body.batch_export_ids)] : null
  await assertExports(services, project.id, ids ?? [])
  const plan = await planRepair(services, {
    projectId: project.id,
    ids,
    period: periodOf(services, body),
    actor: caller.name,
    stepsMax: repairStepsMax,
  })
  if (plan) return await showDetails(request, plan)
  throw invalidInput(
    `This plan would need more than ${repairStepsMax.toLocaleString('en')} steps: choose fewer exports or a shorter period.`,
    ['start'],
  )
}

export const getRepairPlan: Handler<'getRepairPlan'> = (request) =>
  showDetails(request, request.repairPlan, request.query.offset)

export const changeRepairPlan: Handler<'changeRepairPlan'> = (request) =>
  act(request, 'change', (transaction, plan) => change(transaction, plan, request.body))

export const runRepairPlan: Handler<'runRepairPlan'> = (request) =>
  act(request, 'run', async (transaction, plan) => {
    await change(transaction, plan, request.body)
    await startPlan(request.services, transaction, plan)
  })

export const stopRepairPlan: Handler<'stopRepairPlan'> = (request) =>
  act(request, 'stop', (transaction, plan) => stopPlan(request.services, transaction, plan))

/** Performs an action on the locked plan, if its status allows it. @throws ApiError 409 */
async function act(
  request: Pick<ApiRequest<'stopRepairPlan'>, 'services' | 'caller' | 'repairPlan' | 'link'>,
  action: keyof typeof repairPlanCan,
  perform: (transaction: StoreTransaction, plan: RepairPlanRow) => Promise<void>,
): Promise<RepairPlanDetails> {
  const { services, caller } = request
  const plan = await inTransaction(services.store, async (transaction) => {
    const { id } = request.repairPlan
    const plan = await lockRepairPlan(transaction, id)
    const reason = repairPlanCan[action](plan, caller.scopes)
    if (reason !== null) throw conflict(reason)
    await perform(transaction, plan)
    return await lockRepairPlan(transaction, id)
  })
  return await showDetails(request, plan)
}

function change(
  transaction: StoreTransaction,
  plan: RepairPlanRow,
  { leave_out: leaveOut = [], include = [] }: ApiRequest<'changeRepairPlan'>['body'],
): Promise<void> {
  return changeSteps(transaction, plan.id, { leaveOut, include })
}

/** @throws ApiError 400 naming the first id that is not an export of the project. */
async function assertExports({ store }: Services, projectId: number, ids: readonly string[]): Promise<void> {
  const rows = await exportsByName(store, projectId, ids.filter(isUuid))
  const existing = new Set(rows.map((row) => row.id))
  const unknown = ids.find((id) => !existing.has(id.toLowerCase()))
  if (unknown !== undefined) throw unknownId(unknown, ['batch_export_ids'])
}

function periodOf({ clock }: Pick<Services, 'clock'>, body: ApiRequest<'createRepairPlan'>['body']): Window {
  const end = readInstant(body.end)?.getTime() ?? clock.now()
  const start = readInstant(body.start)?.getTime() ?? repairPeriod(end).start
  if (start >= end) throw invalidInput("'end' must be after 'start'.", ['end'])
  if (end - start > repairDaysMax * dayMs)
    throw invalidInput(
      `A plan covers at most ${repairDaysMax} days: move 'start' and 'end' closer together.`,
      ['start'],
    )
  return { start, end }
}

async function showDetails(
  { services, link }: Pick<ApiRequest<'getRepairPlan'>, 'services' | 'link'>,
  plan: RepairPlanRow,
  offset = 0,
): Promise<RepairPlanDetails> {
  const [totals, steps] = await Promise.all([
    totalsOfPlans(services.store, [plan.id]),
    pageOfSteps(services.store, plan.id, offset, repairPageSize),
  ])
  const open = steps.filter(({ state }) => state === 'planned' || state === 'left_out')
  const ids = [...new Set(open.map((step) => step.batch_export_id))]
  const toFix = await failuresToFix(services.store, ids, services.clock.now())
  const shown = showPlan(services, plan, totals.get(plan.id))
  const earlier = offset - repairPageSize
  return {
    ...shown,
    next: offset + repairPageSize < shown.steps.total ? link({ offset: offset + repairPageSize }) : null,
    previous: offset > 0 ? link({ offset: earlier > 0 ? earlier : null }) : null,
    results: steps.map((step) =>
      showStep(services, step, open.includes(step) ? toFix.get(step.batch_export_id) : undefined),
    ),
  }
}

/** Returns the time in which runs that together take `seconds` end, if this process executes all, as many at once as it can. */
function elapsed({ config }: Services, seconds: number | null, runs: number): number | null {
  return seconds && seconds / Math.min(backfillsAtOnce(config.workers), runs)
}

function showPlan(services: Services, row: RepairPlanRow, totals: PlanTotals | undefined): RepairPlan {
  if (!totals) throw new Error(`the plan ${row.id} has no totals`)
  return shownAs(RepairPlan, {
    ...row,
    ...totals,
    seconds_expected: elapsed(services, totals.seconds_expected, totals.windows),
    start: row.start_at,
    end: row.end_at,
    by: row.actor,
  })
}

function showStep(services: Services, step: NamedStep, failure: string | undefined): RepairStep {
  const { start_at: start, end_at: end, missing, failed, short, skipped } = step
  const windows = (end.getTime() - start.getTime()) / step.window_ms
  return shownAs(RepairStep, {
    ...step,
    batch_export: step.batch_export_id,
    batch_export_name: step.name,
    batch_export_paused: step.paused,
    start,
    end,
    windows,
    seconds_expected: elapsed(services, step.seconds_expected, windows),
    will_fail: failure === undefined ? null : errorInWords(failure).headline,
    causes: { missing, failed, short, skipped },
    backfill: step.backfill_id,
  })
}
