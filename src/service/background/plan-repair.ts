import { countToRepair, windowsToRepair, type RepairStretch } from '../store/windows/windows-to-repair.ts'
import { backfillRunsMax } from '../../contract/runs/backfill-range.ts'
import { repairPlansMax } from '../../contract/repair/repair-plan.ts'
import type { Window } from '../../contract/interval.ts'
import { conflict } from '../problems/api-error.ts'
import type { Services } from '../services.ts'
import {
  insertRepairPlan,
  makeRoomForPlan,
  usualRuns,
  type RepairPlanRow,
  type UsualRun,
} from '../store/repair/repair-plans.ts'
import { failuresToFix } from '../store/runs/failure-causes.ts'
import { newId } from '../store/schema/identifier.ts'
import type { PlannedStep } from '../store/schema/repair-tables.ts'

type NewPlan = {
  projectId: number
  /** Null for all exports of the project. */
  ids: readonly string[] | null
  period: Window
  actor: string
  stepsMax: number
}

/**
 * Plans the repair of all windows to repair in the fewest steps, newest first; steps that a pause skipped, or that will
 * fail because of their destination, are left out. Returns null, and stores nothing, if there are more steps than `stepsMax`. Deletes
 * the oldest plan if the project has too many.
 * @throws ApiError 409 if all of those are running or stopped midway.
 */
export async function planRepair(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  { projectId, ids, period, actor, stepsMax }: NewPlan,
): Promise<RepairPlanRow | null> {
  const now = clock.now()
  const found = await windowsToRepair(store, { projectIds: [projectId], ids }, period, now)
  const usual = await usualRuns(store, [...found.keys()])
  const toFix = await failuresToFix(store, [...found.keys()], now)
  const steps = [...found].flatMap(([id, stretches]) =>
    joined(stretches).map((group) => stepOf(id, group, toFix.has(id), usual.get(id))),
  )
  if (steps.length > stepsMax) return null
  const plan: RepairPlanRow = {
    id: newId(now),
    project_id: projectId,
    actor,
    status: 'Planned',
    batch_export_ids: ids && [...ids],
    start_at: new Date(period.start),
    end_at: new Date(period.end),
    rows_counted: steps.length === 0,
    created_at: new Date(now),
    started_at: null,
    finished_at: null,
  }
  const newestFirst = steps.toSorted(
    (one, other) =>
      other.end_at.getTime() - one.end_at.getTime() || (one.batch_export_id < other.batch_export_id ? -1 : 1),
  )
  await store.transaction().execute(async (transaction) => {
    if (!(await makeRoomForPlan(transaction, projectId, repairPlansMax)))
      throw conflict(
        `${repairPlansMax} repair plans of this project are running or stopped: wait until some are completed, or run those that are stopped.`,
      )
    await insertRepairPlan(transaction, plan, newestFirst)
  })
  return plan
}

/**
 * Groups stretches that follow each other and are repaired in the same way, up to the most windows of a backfill; they are sorted
 * by start.
 */
function joined(stretches: readonly RepairStretch[]): RepairStretch[][] {
  const groups: RepairStretch[][] = []
  let windows = 0
  for (const stretch of stretches.flatMap(pieces)) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    const added = (stretch.end - stretch.start) / stretch.length
    const follows =
      last?.end === stretch.start &&
      last.length === stretch.length &&
      last.selectsBy === stretch.selectsBy &&
      (last.cause === 'skipped') === (stretch.cause === 'skipped')
    if (group && follows && windows + added <= backfillRunsMax) {
      group.push(stretch)
      windows += added
    } else {
      groups.push([stretch])
      windows = added
    }
  }
  return groups
}

function pieces(stretch: RepairStretch): RepairStretch[] {
  const size = backfillRunsMax * stretch.length
  return Array.from({ length: Math.ceil((stretch.end - stretch.start) / size) }, (_, index) => {
    const start = stretch.start + index * size
    return { ...stretch, start, end: Math.min(start + size, stretch.end) }
  })
}

function stepOf(id: string, group: readonly RepairStretch[], fails: boolean, usual?: UsualRun): PlannedStep {
  const [first] = group
  const last = group.at(-1)
  if (!first || !last) throw new Error('a step has no windows')
  const windows = (last.end - first.start) / first.length
  return {
    batch_export_id: id,
    start_at: new Date(first.start),
    end_at: new Date(last.end),
    window_ms: first.length,
    ...countToRepair(group),
    selects_by: first.selectsBy,
    rows_expected: usual ? Math.round(usual.rows * windows) : null,
    seconds_expected: usual ? usual.seconds * windows : null,
    state: fails || first.cause === 'skipped' ? 'left_out' : 'planned',
  }
}
