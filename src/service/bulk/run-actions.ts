import { z } from 'zod'
import { backfillRunsMax, endedBackfillRange } from '../../contract/runs/backfill-range.ts'
import { runCan } from '../../contract/runs/run-status.ts'
import type { runActions } from '../../contract/bulk-action.ts'
import { parseInstant } from '../../contract/instant.ts'
import { windowsBetween } from '../../contract/interval.ts'
import { createBackfill } from '../runs/backfill.ts'
import { restoreRuns } from '../runs/restore-runs.ts'
import { createRetry, fillGap, retryFailed } from '../runs/retry.ts'
import { stopRun } from '../runs/stop-runs.ts'
import { conflict, invalidInput, notFound } from '../problems/api-error.ts'
import type { Services } from '../services.ts'
import type { BackfillRow } from '../store/runs/backfills-list.ts'
import { findBatchExport, type BatchExportRow } from '../store/runs/batch-exports.ts'
import { findOfProjects } from '../store/schema/find-of-projects.ts'
import { eachItem } from './each-item.ts'
import { lockExport, stopNewRuns } from './export-actions.ts'
import type { ItemAction, Work } from './item-action.ts'

/** Runs, or exports, per transaction. */
const batchMax = 20
/** Scopes are checked when an action starts. */
const anyScope = ['*']

const Exported = z.object({ batchExport: z.string(), backfill: z.string() })
const Cancelled = z.object({ cancelledAt: z.coerce.date() })

/** The actions on runs. */
export const actionsOnRuns: Record<(typeof runActions)[number], ItemAction> = {
  export_windows: eachItem({
    batchMax,
    async perform(work, id) {
      const { windows } = work.action.options
      if (windows === undefined) return await retry(work, id)
      const row = await lockExport(work, id)
      const { services } = work
      const backfill =
        typeof windows !== 'string'
          ? await backfillRanges(services, row, windows)
          : await (windows === 'failed' ? retryFailed : fillGap)(services, row)
      return backfill && { batchExport: id, backfill: backfill.id }
    },
    undo(work, _id, replaced) {
      const { batchExport, backfill } = Exported.parse(replaced)
      return stopNewRuns(work, batchExport, backfill)
    },
  }),

  cancel_runs: eachItem({
    batchMax,
    async perform(work, id) {
      const { run } = await findRun(work, id)
      const cancelledAt = await stopRun(work.services, run)
      if (!cancelledAt) throw conflict(runCan.cancel(run, anyScope) ?? 'This run has just ended.')
      return { cancelledAt }
    },
    async undo(work, id, replaced) {
      await findRun(work, id)
      const at = Cancelled.parse(replaced).cancelledAt
      const { services } = work
      return (await restoreRuns(services, services.store, { status: 'Cancelled', at, runId: id })) > 0
    },
  }),
}

async function retry(work: Work, runId: string) {
  const { run, batchExport } = await findRun(work, runId)
  const reason = runCan.retry(run, anyScope)
  if (reason !== null) throw conflict(reason)
  const { backfill } = await createRetry(work.services, batchExport, run)
  return { batchExport: batchExport.id, backfill: backfill.id }
}

/** Backfills the windows of an export in these ranges that have ended. */
async function backfillRanges(
  services: Services,
  row: BatchExportRow,
  ranges: readonly { start_at: string; end_at: string }[],
): Promise<BackfillRow> {
  const now = services.clock.now()
  const verdicts = ranges.map(({ start_at: startAt, end_at: endAt }) => {
    const [start, end] = [parseInstant(startAt)?.time ?? 0, parseInstant(endAt)?.time ?? 0]
    return endedBackfillRange({ start, end }, row.interval, now)
  })
  const accepted = verdicts.flatMap((verdict) => (verdict.ok ? verdict.range : []))
  const [first] = accepted
  if (!first) throw invalidInput(verdicts.flatMap((verdict) => (verdict.ok ? [] : verdict.detail))[0] ?? '')
  const windows = accepted.flatMap(({ start, end }) => windowsBetween(row.interval, start, end))
  const some = [...new Map(windows.map((window) => [window.start, window])).values()]
  if (some.length > backfillRunsMax)
    throw invalidInput(
      `This backfill would need ${some.length} runs, more than the ${backfillRunsMax} allowed.`,
    )
  const range = {
    start: Math.min(...accepted.map(({ start }) => start)),
    end: Math.max(...accepted.map(({ end }) => end)),
  }
  const created = await createBackfill(services, row, range, accepted.length === 1 ? null : some)
  if (!created.ok) throw conflict(created.reason)
  return created.backfill
}

async function findRun({ services, action }: Work, id: string) {
  const projects = [action.project_id]
  const run = await findOfProjects(services.store, 'batch_export_runs', projects, id)
  const batchExport = run && (await findBatchExport(services.store, projects, run.batch_export_id))
  if (!run || !batchExport) throw notFound('The batch export of this run has been deleted.')
  return { run, batchExport }
}
