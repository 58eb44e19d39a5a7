import type { BatchExportRow } from './batch-exports.ts'
import type { Store } from '../schema/database.ts'
import type { RunRow } from './runs-list.ts'

/** What is known about the files of a run: where they were written, and their sizes by key. */
export type RunFileFacts = Pick<BatchExportRow, 'destination_type' | 'project_id'> & {
  bytes: ReadonlyMap<string, number>
}

/** Returns the facts about a run's files from the ledger or, for a run that a newer one has replaced there, from the export. */
export async function fileFactsOfRun(
  store: Store,
  run: Pick<RunRow, 'id' | 'batch_export_id' | 'data_interval_start' | 'data_interval_end'>,
): Promise<RunFileFacts | null> {
  const [batchExport, recorded] = await Promise.all([
    store
      .selectFrom('batch_exports')
      .select(['destination_type', 'project_id'])
      .where('id', '=', run.batch_export_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
    store
      .selectFrom('batch_export_ledger')
      .select(['settings', 'objects'])
      .where('batch_export_id', '=', run.batch_export_id)
      .where('data_interval_start', '=', run.data_interval_start)
      .where('data_interval_end', '=', run.data_interval_end)
      .where('run_id', '=', run.id)
      .executeTakeFirst(),
  ])
  if (!batchExport) return null
  const { destination_type } = recorded?.settings ?? batchExport
  const bytes = new Map(recorded?.objects.map((object) => [object.key, object.bytes]))
  return { destination_type, project_id: batchExport.project_id, bytes }
}
