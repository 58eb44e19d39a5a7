import { destinationKinds } from '../../contract/destinations/destination-kinds.ts'
import { canShareFiles, groupOf, plainFolderOf, type NamedExport } from '../destinations/object-names.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { lockExportNames, namingRows } from '../store/runs/export-names.ts'
import type { StoreTransaction } from '../store/schema/database.ts'

/**
 * Returns the exports that can write files of the same names; until the transaction ends, no other export can begin to. Many
 * exports can write to one table, or send to one receiver.
 */
export async function writersOfSameFiles(
  transaction: StoreTransaction,
  row: NamedExport,
): Promise<BatchExportRow[]> {
  if (destinationKinds[row.destination_type].holds !== 'files') return []
  // Exports with other names need not wait: hundreds may be created at once.
  await lockExportNames(transaction, groupOf(row))
  const others = await namingRows(transaction, row, plainFolderOf(row))
  return others.filter((other) => canShareFiles(row, other))
}
