import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import { reachableProjects } from '../../auth/access.ts'
import type { Caller } from '../../auth/caller.ts'
import type { NamedExport } from '../../destinations/object-names.ts'
import { writersOfSameFiles } from '../../runs/same-files.ts'
import { invalidInput } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import type { StoreTransaction } from '../../store/schema/database.ts'

/**
 * Refuses an export whose files another one already writes.
 * @throws ApiError 400; it names the other export only if the caller may read it.
 */
export async function assertOwnFiles(
  { services, reader }: { services: Services; reader: Caller | null },
  transaction: StoreTransaction,
  row: NamedExport,
): Promise<void> {
  const taken = await writersOfSameFiles(transaction, row)
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
