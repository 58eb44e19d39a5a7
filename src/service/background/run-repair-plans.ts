import { sql } from 'kysely'
import { formatInstant } from '../../contract/instant.ts'
import type { Window } from '../../contract/interval.ts'
import { downEngine } from '../problems/down-engine.ts'
import type { Services } from '../services.ts'
import { anyBatchExport, type BatchExportRow } from '../store/runs/batch-exports.ts'
import { inTransaction, type StoreTransaction } from '../store/schema/database.ts'
import type { RepairPlanRow, RepairStepRow } from '../store/repair/repair-plans.ts'
import {
  claimPlan,
  countRunsInProgress,
  recordedWithin,
  runningPlans,
  stepsIn,
  unsuccessfulRuns,
  updateStep,
} from '../store/repair/repair-progress.ts'
import { countOf, updateRows } from '../store/schema/rows.ts'
import { requestVerification } from '../store/windows/verifications.ts'
import { windowsOf, windowsToRepair, type RepairStretch } from '../store/windows/windows-to-repair.ts'
import { exportAgain, lockExport } from '../runs/backfill.ts'
import { endBackfillIfDone } from '../runs/end-runs.ts'
import { endRunsInProgress } from '../store/runs/write-runs.ts'
import { countedWindows, deletedReason, judgeStep, problemOfStopped } from './judge-repair-step.ts'

/** Steps of a plan in progress, and windows of these that wait for a worker. Later steps wait, so that a plan stops soon. */
const stepsMax = 10
const waitingWindowsMax = 100

/**
 * Moves every running plan on as far as possible; resolves to whether any plan changed. If one fails, the others still move
 * on.
 */
export async function continueRepairPlans(services: Services): Promise<boolean> {
  const { store, logger } = services
  let changed = false
  for (const id of await runningPlans(store)) {
    const moving = inTransaction(store, async (transaction) => {
      const plan = await claimPlan(transaction, id)
      return plan ? await continuePlan(services, transaction, plan) : false
    })
    const moved = await moving.catch(async (error: unknown) => {
      // A statement that takes too long looks like an engine that is down; one that is down does not answer here either.
      if (downEngine(error) !== null) await sql`SELECT`.execute(store)
      logger.error({ err: error, plan: id }, 'failed to continue a repair plan')
      return false
    })
    changed ||= moved
  }
  return changed
}

/**
 * Moves a plan's steps on. Steps and their runs change in one transaction that locks the plan: after a crash, another call
 * continues, and no window is sent twice.
 */
async function continuePlan(services: Services, transaction: StoreTransaction, plan: RepairPlanRow) {
  const active = await stepsIn(transaction, plan.id, ['running', 'verifying'], stepsMax)
  let waiting = 0
  let freeSlots = stepsMax
  let changed = false
  for (const step of active) {
    const moved = await continueStep(services, transaction, step, plan.actor)
    changed ||= moved.changed
    waiting += moved.waiting
    if (!moved.ended) freeSlots -= 1
  }
  while (freeSlots > 0 && waiting < waitingWindowsMax) {
    const [next] = await stepsIn(transaction, plan.id, ['planned'], 1)
    if (!next) break
    waiting += await startStep(services, transaction, next)
    freeSlots -= 1
    changed = true
  }
  const [left] = await stepsIn(transaction, plan.id, ['planned', 'running', 'verifying'], 1)
  if (left) return changed
  const completed = { status: 'Completed', finished_at: new Date(services.clock.now()) } as const
  await updateRows(transaction, 'repair_plans', { id: plan.id }, completed)
  return true
}

/** Exports again those windows of a step that still need it; returns their number. */
async function startStep(services: Services, transaction: StoreTransaction, step: RepairStepRow) {
  await lockExport(transaction, step.batch_export_id)
  const exportRow = await anyBatchExport(transaction, step.batch_export_id)
  if (exportRow.deleted_at) {
    await updateStep(transaction, step, { state: 'failed', problem: deletedReason })
    return 0
  }
  const stretches = await stillToRepair(services, transaction, exportRow, step)
  if (stretches.length === 0) {
    await updateStep(transaction, step, { state: 'running', backfill_id: null })
    return 0
  }
  const windows = stretches.flatMap(windowsOf)
  const [start, end] = [step.start_at, step.end_at].map((time) => formatInstant(time))
  const { backfill } = await exportAgain(services, transaction, exportRow, {
    windows: windows.toReversed(),
    origin: 'backfill',
    message: () =>
      `Repair of ${start} to ${end} by a repair plan: ${countedWindows(windows.length)} to export again.`,
  })
  await updateStep(transaction, step, {
    state: 'running',
    backfill_id: backfill.id,
    backfill_ids: [...step.backfill_ids, backfill.id],
    sent: step.sent + windows.length,
    problem: null,
  })
  return windows.length
}

/** Returns what is still to repair of a step; a step repairs windows that a pause skipped only if it consists of them. */
async function stillToRepair(
  { clock }: Pick<Services, 'clock'>,
  transaction: StoreTransaction,
  exportRow: Pick<BatchExportRow, 'id' | 'project_id'>,
  step: RepairStepRow,
): Promise<RepairStretch[]> {
  const period = { start: step.start_at.getTime(), end: step.end_at.getTime() }
  const scope = { projectIds: [exportRow.project_id], ids: [exportRow.id] }
  const found = await windowsToRepair(transaction, scope, period, clock.now())
  return (found.get(exportRow.id) ?? [])
    .filter((stretch) => (stretch.cause === 'skipped') === step.skipped > 0)
    .flatMap((stretch) => within(stretch, period))
}

/** Cuts a stretch to a period. A written window is exported again only as a whole, because its files are replaced. */
function within(stretch: RepairStretch, period: Window): RepairStretch[] {
  if (stretch.start >= period.start && stretch.end <= period.end) return [stretch]
  if (stretch.cause === 'short') return []
  const start = Math.max(stretch.start, period.start)
  const end = Math.min(stretch.end, period.end)
  const isDivisible = (start - stretch.start) % stretch.length === 0 && (end - start) % stretch.length === 0
  return start < end ? [{ ...stretch, start, end, length: isDivisible ? stretch.length : end - start }] : []
}

type Moved = { changed: boolean; ended: boolean; waiting: number }

async function continueStep(
  services: Services,
  transaction: StoreTransaction,
  step: RepairStepRow,
  actor: string,
): Promise<Moved> {
  const waiting = await countRunsInProgress(transaction, step)
  const finished = Math.max(0, step.sent - waiting)
  if (finished !== step.finished) await updateStep(transaction, step, { finished })
  if (waiting > 0) return { changed: finished !== step.finished, ended: false, waiting }
  const windows = await recordedWithin(transaction, step)
  if (windows.some(({ isVerifying }) => isVerifying)) return { changed: false, ended: false, waiting: 0 }
  const isVerified = step.state === 'verifying' && windows.every(({ state }) => state !== 'unverified')
  if (!isVerified && windows.length > 0) {
    const verification = await requestVerification(transaction, {
      batchExportId: step.batch_export_id,
      actor,
      at: new Date(services.clock.now()),
      selection: { within: { start: step.start_at, end: step.end_at } },
    })
    await updateStep(transaction, step, { state: 'verifying', verification_id: verification?.id ?? null })
    return { changed: true, ended: false, waiting: 0 }
  }
  const progress = await progressOf(services, transaction, step)
  await updateStep(transaction, step, judgeStep({ windows, ...progress }))
  return { changed: true, ended: true, waiting: 0 }
}

/** Returns what is still to repair of a step, and which of its runs failed. */
async function progressOf(
  services: Pick<Services, 'clock'>,
  transaction: StoreTransaction,
  step: RepairStepRow,
) {
  const exportRow = await anyBatchExport(transaction, step.batch_export_id)
  const left = await stillToRepair(services, transaction, exportRow, step)
  const unsuccessful = await unsuccessfulRuns(transaction, step)
  return { left, unsuccessful, isDeleted: exportRow.deleted_at !== null }
}

/** Stops a running plan, which the caller has locked: cancels its runs that no worker executes. */
export async function stopRepairPlan(services: Services, transaction: StoreTransaction, plan: RepairPlanRow) {
  const now = new Date(services.clock.now())
  const running = await stepsIn(transaction, plan.id, ['running'], stepsMax)
  const backfills = running.flatMap((step) => step.backfill_id ?? [])
  if (backfills.length > 0)
    await endRunsInProgress(
      transaction,
      'Cancelled',
      now,
      sql`backfill_id = ANY (${backfills}::uuid[]) AND status <> 'Running'`,
    )
  for (const id of backfills) await endBackfillIfDone(transaction, id, now)
  for (const step of running) {
    const ofStep = sql`batch_export_runs WHERE backfill_id = ${step.backfill_id} AND status = 'Cancelled'`
    const cancelled = await countOf(transaction, ofStep)
    const { left, unsuccessful } = await progressOf(services, transaction, step)
    const problem = problemOfStopped(left, unsuccessful)
    await updateStep(transaction, step, { state: 'planned', sent: step.sent - cancelled, problem })
  }
  await updateRows(transaction, 'repair_plans', { id: plan.id }, { status: 'Stopped' })
}

/** Runs or resumes a plan, which the caller has locked. */
export async function runRepairPlan(
  { clock }: Pick<Services, 'clock'>,
  transaction: StoreTransaction,
  plan: RepairPlanRow,
): Promise<void> {
  const started_at = plan.started_at ?? new Date(clock.now())
  await updateRows(
    transaction,
    'repair_plans',
    { id: plan.id },
    { status: 'Running', started_at, finished_at: null },
  )
}
