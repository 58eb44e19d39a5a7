import { logExport } from '../../runs/export-log.ts'
import { stopExport } from '../../runs/stop-runs.ts'
import { lockBatchExport, updateBatchExport } from '../../store/runs/batch-exports.ts'
import { insertChange } from '../../store/runs/changes-list.ts'
import { inTransaction } from '../../store/schema/database.ts'
import { notFound } from '../../problems/api-error.ts'
import { authorOf, byKey, type Actor } from '../by-key.ts'
import type { ApiRequest } from '../handler.ts'

type Request = Pick<ApiRequest<'deleteBatchExport'>, 'services' | 'batchExport'> & { caller: Actor }

export async function deleteBatchExport(request: Request) {
  await deleteExport(request)
  return null
}

/** Soft-deletes an export, whose runs still refer to its row, and stops its runs in progress; returns the time of the deletion. */
export async function deleteExport({ services, caller, batchExport }: Request): Promise<Date> {
  return await inTransaction(services.store, async (transaction) => {
    const row = await lockBatchExport(transaction, [batchExport.project_id], batchExport.id)
    if (!row) throw notFound()
    const now = new Date(services.clock.now())
    await updateBatchExport(transaction, row, { deleted_at: now, last_updated_at: now })
    await stopExport(services, transaction, row.id)
    await insertChange(transaction, {
      batchExportId: row.id,
      kind: 'deleted',
      ...authorOf(caller),
      at: now,
      fields: [],
    })
    await logExport(transaction, row.id, `Deleted ${byKey(caller)}.`, now)
    return now
  })
}
