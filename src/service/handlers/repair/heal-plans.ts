import {
  healPeriod,
  healPageSize,
  healPlanCan,
  healStepsMax,
  type HealPlan,
  type HealPlanDetails,
  type HealStep,
} from '../../../contract/repair/heal-plan.ts'
import { formatInstant } from '../../../contract/instant.ts'
import type { Window } from '../../../contract/interval.ts'
import { projectOf } from '../../auth/access.ts'
import { planHeal } from '../../background/plan-heal.ts'
import { runHealPlan as startPlan, stopHealPlan as stopPlan } from '../../background/run-heal-plans.ts'
import { conflict, invalidInput, unknownId } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { existingExports } from '../../store/runs/batch-exports.ts'
import type { StoreTransaction } from '../../store/schema/database.ts'
import {
  changeSteps,
  lockHealPlan,
  pageOfHealPlans,
  pageOfSteps,
  totalsOfPlans,
  type HealPlanRow,
  type NamedStep,
  type PlanTotals,
} from '../../store/repair/heal-plans.ts'
import { isUuid } from '../../auth/uuid.ts'
import { readCursor, showCursorPage } from '../cursor-page.ts'
import type { ApiRequest, Handler } from '../handler.ts'
import { readInstant } from '../read-instant.ts'

const dayMs = 86_400_000
/** Longest period of a plan, in days. */
const healDaysMax = 366
const ordering = '-created_at'

export const listHealPlans: Handler<'listHealPlans'> = async ({ services, projects, query, link }) => {
  const position = readCursor(query.cursor, ordering)
  const page = await pageOfHealPlans(services.store, projectOf(projects).id, position)
  const totals = await totalsOfPlans(services.store, page?.rows.map(({ id }) => id) ?? [])
  return showCursorPage(page, ordering, link, (row) => showPlan(row, totals.get(row.id)))
}

export const createHealPlan: Handler<'createHealPlan'> = async (request) => {
  const { services, caller, projects, body } = request
  const project = projectOf(projects)
  const ids = body.batch_export_ids ? [...new Set(body.batch_export_ids)] : null
  await assertExports(services, project.id, ids ?? [])
  const plan = await planHeal(services, {
    projectId: project.id,
    ids,
    period: periodOf(services, body),
    actor: caller.key.label,
    stepsMax: healStepsMax,
  })
  if (plan) return await showDetails(request, plan)
  throw invalidInput(
    `This plan would need more than ${healStepsMax.toLocaleString('en')} steps: choose fewer exports or a shorter period.`,
    ['start'],
  )
}

export const getHealPlan: Handler<'getHealPlan'> = (request) =>
  showDetails(request, request.healPlan, request.query.offset)

export const changeHealPlan: Handler<'changeHealPlan'> = (request) =>
  act(request, 'change', (transaction, plan) => change(transaction, plan, request.body))

export const runHealPlan: Handler<'runHealPlan'> = (request) =>
  act(request, 'run', async (transaction, plan) => {
    await change(transaction, plan, request.body)
    await startPlan(request.services, transaction, plan)
  })

export const stopHealPlan: Handler<'stopHealPlan'> = (request) =>
  act(request, 'stop', (transaction, plan) => stopPlan(request.services, transaction, plan))

/** Performs an action on the locked plan, if its status allows it. @throws ApiError 409 */
async function act(
  request: Pick<ApiRequest<'stopHealPlan'>, 'services' | 'caller' | 'healPlan' | 'link'>,
  action: keyof typeof healPlanCan,
  perform: (transaction: StoreTransaction, plan: HealPlanRow) => Promise<void>,
): Promise<HealPlanDetails> {
  const { services, caller } = request
  const plan = await services.store.transaction().execute(async (transaction) => {
    const { id } = request.healPlan
    const plan = await lockHealPlan(transaction, id)
    const reason = healPlanCan[action](plan, caller.key.scopes)
    if (reason !== null) throw conflict(reason)
    await perform(transaction, plan)
    return await lockHealPlan(transaction, id)
  })
  return await showDetails(request, plan)
}

function change(
  transaction: StoreTransaction,
  plan: HealPlanRow,
  { leave_out: leaveOut = [], include = [] }: ApiRequest<'changeHealPlan'>['body'],
): Promise<void> {
  return changeSteps(transaction, plan.id, { leaveOut, include })
}

/** @throws ApiError 400 naming the first id that is not an export of the project. */
async function assertExports({ store }: Services, projectId: number, ids: readonly string[]): Promise<void> {
  const existing = new Set(await existingExports(store, projectId, ids.filter(isUuid)))
  const unknown = ids.find((id) => !existing.has(id.toLowerCase()))
  if (unknown !== undefined) throw unknownId(unknown, ['batch_export_ids'])
}

function periodOf({ clock }: Pick<Services, 'clock'>, body: ApiRequest<'createHealPlan'>['body']): Window {
  const end = readInstant(body.end)?.getTime() ?? clock.now()
  const start = readInstant(body.start)?.getTime() ?? healPeriod(end).start
  if (start >= end) throw invalidInput("'end' must be after 'start'.", ['end'])
  if (end - start > healDaysMax * dayMs)
    throw invalidInput(`A plan covers at most ${healDaysMax} days: move 'start' and 'end' closer together.`, [
      'start',
    ])
  return { start, end }
}

async function showDetails(
  { services, link }: Pick<ApiRequest<'getHealPlan'>, 'services' | 'link'>,
  plan: HealPlanRow,
  offset = 0,
): Promise<HealPlanDetails> {
  const [totals, steps] = await Promise.all([
    totalsOfPlans(services.store, [plan.id]),
    pageOfSteps(services.store, plan.id, offset, healPageSize),
  ])
  const shown = showPlan(plan, totals.get(plan.id))
  const earlier = offset - healPageSize
  return {
    ...shown,
    next: offset + healPageSize < shown.steps.total ? link({ offset: offset + healPageSize }) : null,
    previous: offset > 0 ? link({ offset: earlier > 0 ? earlier : null }) : null,
    results: steps.map(showStep),
  }
}

function showPlan(row: HealPlanRow, totals: PlanTotals | undefined): HealPlan {
  if (!totals) throw new Error(`the plan ${row.id} has no totals`)
  return {
    id: row.id,
    status: row.status,
    batch_export_ids: row.batch_export_ids,
    start: formatInstant(row.start_at),
    end: formatInstant(row.end_at),
    ...totals,
    by: row.actor,
    created_at: formatInstant(row.created_at),
    started_at: row.started_at && formatInstant(row.started_at),
    finished_at: row.finished_at && formatInstant(row.finished_at),
  }
}

function showStep(step: NamedStep): HealStep {
  const { missing, failed, short, skipped } = step
  return {
    number: step.number,
    batch_export: step.batch_export_id,
    batch_export_name: step.name,
    start: formatInstant(step.start_at),
    end: formatInstant(step.end_at),
    windows: (step.end_at.getTime() - step.start_at.getTime()) / step.window_ms,
    causes: { missing, failed, short, skipped },
    selects_by: step.selects_by,
    rows_expected: step.rows_expected,
    seconds_expected: step.seconds_expected,
    state: step.state,
    backfill: step.backfill_id,
    sent: step.sent,
    finished: step.finished,
    proven: step.proven,
    unreadable: step.unreadable,
    problem: step.problem,
  }
}
