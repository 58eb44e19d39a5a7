import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import { reachableProjects } from '../../auth/access.ts'
import type { Caller } from '../../auth/caller.ts'
import { canShareFiles, groupOf, plainFolderOf, type NamedExport } from '../../destinations/object-names.ts'
import { invalidInput } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import type { StoreTransaction } from '../../store/schema/database.ts'
import { lockExportNames, namingRows } from '../../store/runs/export-names.ts'

/**
 * Refuses an export whose files another one already writes.
 * @throws ApiError 400; it names the other export only if the caller may read it.
 */
export async function assertOwnFiles(
  { services, reader }: { services: Services; reader: Caller | null },
  transaction: StoreTransaction,
  row: NamedExport,
): Promise<void> {
  // Many exports can write to one table, and send to one receiver.
  if (destinationKinds[row.destination_type].holds !== 'files') return
  // Exports with other names need not wait: hundreds may be created at once.
  await lockExportNames(transaction, groupOf(row))
  const others = await namingRows(transaction, row, plainFolderOf(row))
  const taken = others.filter((other) => canShareFiles(row, other))
  if (taken.length === 0) return
  // Uses this transaction's connection: all others of the pool could be waiting for the lock.
  const readable = reader ? await reachableProjects({ ...services, store: transaction }, reader) : []
  const named = taken.find((other) => readable.some(({ id }) => id === other.project_id))
  const { folderField: field } = destinationKinds[row.destination_type]
  throw invalidInput(
    `${named ? `The batch export "${named.name}"` : 'Another batch export'} already writes files with these names: choose another ${field}.`,
    ['destination', 'config', field],
    { attr: 'destination' },
  )
}
