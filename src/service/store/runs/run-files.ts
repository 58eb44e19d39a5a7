import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import type { Store } from '../schema/database.ts'
import { findRow } from '../schema/rows.ts'
import type { RunRow } from './runs-list.ts'

/** Returns the facts about a run's files from the ledger or, for a run that a newer one has replaced there, from the export. */
export async function fileFactsOfRun(
  store: Store,
  run: Pick<RunRow, 'id' | 'batch_export_id' | 'data_interval_start' | 'data_interval_end'>,
) {
  const { id, batch_export_id, data_interval_start, data_interval_end } = run
  const window = { batch_export_id, data_interval_start, data_interval_end, run_id: id }
  const [batchExport, recorded] = await Promise.all([
    findRow(store, 'batch_exports', { id: batch_export_id, deleted_at: null }),
    findRow(store, 'batch_export_ledger', window),
  ])
  if (!batchExport) return null
  const bytes = new Map(recorded?.objects.map((object) => [object.key, object.bytes]))
  const { isOnDisk } = destinationKinds[(recorded?.settings ?? batchExport).destination_type]
  return { isOnDisk, project_id: batchExport.project_id, bytes }
}
