import { z } from 'zod'
import { runCan } from '../../contract/runs/batch-export-run.ts'
import type { runActions } from '../../contract/bulk-action.ts'
import { restoreRuns } from '../runs/restore-runs.ts'
import { createRetry } from '../runs/retry.ts'
import { stopRun } from '../runs/stop-runs.ts'
import { conflict, notFound } from '../problems/api-error.ts'
import { findBatchExport } from '../store/runs/batch-exports.ts'
import { findRunOfProjects } from '../store/runs/runs-list.ts'
import { eachItem } from './each-item.ts'
import { stopNewRuns } from './export-actions.ts'
import type { ItemAction, Work } from './item-action.ts'

/** Runs per transaction. */
const batchMax = 20
/** Scopes are checked when an action starts. */
const anyScope = ['*']

const Retried = z.object({ batchExport: z.string(), backfill: z.string() })
const Cancelled = z.object({ cancelledAt: z.coerce.date() })

/** The actions on runs. */
export const actionsOnRuns: Record<(typeof runActions)[number], ItemAction> = {
  retry_runs: eachItem({
    batchMax,
    async perform(work, id) {
      const { run, batchExport } = await findRun(work, id)
      const reason = runCan.retry(run, anyScope)
      if (reason !== null) throw conflict(reason)
      const { backfill } = await createRetry(work.services, batchExport, run)
      return { batchExport: batchExport.id, backfill: backfill.id }
    },
    undo(work, _id, replaced) {
      const { batchExport, backfill } = Retried.parse(replaced)
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

async function findRun({ services, action }: Work, id: string) {
  const projects = [action.project_id]
  const run = await findRunOfProjects(services.store, projects, id)
  const batchExport = run && (await findBatchExport(services.store, projects, run.batch_export_id))
  if (!run || !batchExport) throw notFound('The batch export of this run has been deleted.')
  return { run, batchExport }
}
