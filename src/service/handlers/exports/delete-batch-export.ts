import { writeLog } from '../../jobs/export-log.ts'
import { stopExport } from '../../jobs/stop-runs.ts'
import { lockBatchExport, updateBatchExport } from '../../store/batch-exports.ts'
import { insertChange } from '../../store/changes-list.ts'
import { notFound } from '../../problems/api-error.ts'
import { byKey } from './by-key.ts'
import type { ApiRequest } from '../handler.ts'

type Request = Pick<ApiRequest<'deleteBatchExport'>, 'services' | 'caller' | 'batchExport'>

/** Soft-deletes an export, whose runs still refer to its row, and stops its runs in progress. */
export async function deleteBatchExport({ services, caller, batchExport }: Request) {
  await services.store.transaction().execute(async (transaction) => {
    const row = await lockBatchExport(transaction, [batchExport.project_id], batchExport.id)
    if (!row) throw notFound()
    const now = new Date(services.clock.now())
    await updateBatchExport(transaction, row, { deleted_at: now, last_updated_at: now })
    await stopExport(services, transaction, row.id)
    await insertChange(transaction, {
      batchExportId: row.id,
      kind: 'deleted',
      actor: caller.key.label,
      at: now,
      fields: [],
    })
    await writeLog(transaction, {
      batchExportId: row.id,
      runId: null,
      level: 'INFO',
      message: `Deleted ${byKey(caller)}.`,
      at: now,
    })
  })
  return null
}
