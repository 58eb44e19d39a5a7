import { z } from 'zod'
import type { exportActions } from '../../contract/bulk-action.ts'
import { deleteExport } from '../handlers/exports/delete-batch-export.ts'
import { writeChange } from '../handlers/exports/update-batch-export.ts'
import { stopBackfill } from '../runs/backfill.ts'
import { fillGap } from '../runs/retry.ts'
import { undoDeletion } from '../runs/restore-export.ts'
import { undoPause, undoUnpause } from '../runs/undo-pause.ts'
import { notFound } from '../problems/api-error.ts'
import { lockBatchExport, type BatchExportRow } from '../store/runs/batch-exports.ts'
import { findRow } from '../store/schema/rows.ts'
import { eachItem } from './each-item.ts'
import type { ItemAction, Work } from './item-action.ts'

/** Exports per transaction. */
const batchMax = 10

const Time = z.coerce.date()
const Paused = z.object({ pausedAt: Time, lastPausedAt: Time.nullable() })
const Unpaused = z.object({
  unpausedAt: Time,
  pausedBecause: z.string().nullable(),
  pauseReason: z.string().nullable(),
  pausedUntil: Time.nullable(),
  backfill: z.string().nullable(),
})
const Deleted = z.object({ deletedAt: Time })

/** The actions on batch exports. */
export const actionsOnExports: Record<(typeof exportActions)[number], ItemAction> = {
  pause_batch_exports: eachItem({
    batchMax,
    async perform(work, id) {
      const row = await lockExport(work, id)
      if (row.paused) return null
      const { reason, until } = work.action.options
      const changed = await writeChange(requestOf(work, row), { paused: true, reason, until })
      return { pausedAt: changed.last_paused_at, lastPausedAt: row.last_paused_at }
    },
    undo: async (work, id, replaced) =>
      undoPause(undoOf(work, await lockExport(work, id)), Paused.parse(replaced)),
  }),

  unpause_batch_exports: eachItem({
    batchMax,
    async perform(work, id) {
      const row = await lockExport(work, id)
      if (!row.paused) return null
      const { backfill = false } = work.action.options
      const changed = await writeChange(requestOf(work, row), { paused: false })
      return {
        unpausedAt: changed.last_updated_at,
        pausedBecause: row.paused_because,
        pauseReason: row.pause_reason,
        pausedUntil: row.paused_until,
        backfill: backfill ? ((await fillGap(work.services, changed))?.id ?? null) : null,
      }
    },
    async undo(work, id, replaced) {
      const { backfill, ...unpaused } = Unpaused.parse(replaced)
      if (backfill !== null) await stopNewRuns(work, id, backfill)
      return await undoUnpause(undoOf(work, await lockExport(work, id)), unpaused)
    },
  }),

  delete_batch_exports: eachItem({
    batchMax,
    perform: async (work, id) => ({
      deletedAt: await deleteExport(requestOf(work, await lockExport(work, id))),
    }),
    undo: ({ services, action }, id, replaced) =>
      undoDeletion(services, services.store, {
        projectId: action.project_id,
        id,
        actor: action.actor,
        ...Deleted.parse(replaced),
      }),
  }),
}

function requestOf({ services, actor }: Work, batchExport: BatchExportRow) {
  return { services, caller: actor, batchExport }
}

function undoOf({ services, action }: Work, row: BatchExportRow) {
  return { services, transaction: services.store, row, actor: action.actor }
}

export async function lockExport({ services, action }: Work, id: string): Promise<BatchExportRow> {
  const row = await lockBatchExport(services.store, [action.project_id], id)
  if (!row) throw notFound('This batch export has been deleted.')
  return row
}

/** Cancels the runs that an action has created; files already written stay. */
export async function stopNewRuns({ services }: Work, batchExportId: string, backfillId: string) {
  const backfill = await findRow(services.store, 'batch_export_backfills', {
    batch_export_id: batchExportId,
    id: backfillId,
  })
  if (backfill && backfill.finished_at === null) await stopBackfill(services, backfill)
  return true
}
