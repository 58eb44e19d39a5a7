import type { FileFacts } from '../../../contract/exports/batch-export.ts'
import { reachableProjects } from '../../auth/access.ts'
import type { Caller } from '../../auth/caller.ts'
import {
  canShareFiles,
  groupOf,
  plainFolderOf,
  sharingPairs,
  type NamedExport,
} from '../../destinations/object-names.ts'
import { invalidInput } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import type { Store, StoreTransaction } from '../../store/schema/database.ts'
import {
  lockExportNames,
  namingRows,
  replaceSharedFiles,
  storedSharedFiles,
  type NamingRow,
} from '../../store/runs/export-names.ts'

type Request = { services: Services; caller: Caller }

/**
 * Refuses an export whose files another one already writes. Exports that already shared files `before` a change may keep
 * doing so, so that the other fields of such an export can still be changed.
 * @throws ApiError 400 that names the other export only if the reader can read it.
 */
export async function assertOwnFiles(
  { services, reader }: { services: Services; reader: Caller | null },
  transaction: StoreTransaction,
  row: NamedExport,
  before: NamedExport | null,
): Promise<void> {
  // Exports with other names need not wait: hundreds may be created at once.
  await lockExportNames(transaction, groupOf(row))
  const others = await namingRows(transaction, row, plainFolderOf(row))
  const taken = others.filter(
    (other) => canShareFiles(row, other) && !(before !== null && canShareFiles(before, other)),
  )
  if (taken.length === 0) return
  // Uses this transaction's connection: all others of the pool could be waiting for the lock.
  const readable = reader
    ? await readableOf({ services: { ...services, store: transaction }, caller: reader })
    : () => false
  const [named = null] = taken.filter(readable)
  const field = row.destination_type === 'File' ? 'path' : 'prefix'
  throw invalidInput(
    `${named ? `The batch export "${named.name}"` : 'Another batch export'} already writes files with these names: choose another ${field}.`,
    ['destination', 'config', field],
    { attr: 'destination' },
  )
}

/** Returns, by export, what applies to its files; names other exports only if the caller can read them. */
export async function fileFactsOf(
  { services, caller }: Request,
  rows: readonly NamedExport[],
): Promise<Map<string, FileFacts>> {
  const stored = await storedSharedFiles(
    services.store,
    rows.map(({ id }) => id),
  )
  const readable = stored.size === 0 ? () => false : await readableOf({ services, caller })
  const show = (other: NamingRow) =>
    readable(other)
      ? { id: other.id, name: other.name, team_id: other.project_id }
      : { id: null, name: null, team_id: null }
  return new Map(
    rows.map((row) => {
      // Either export may have changed since the service started.
      const others = (stored.get(row.id) ?? []).filter((other) => canShareFiles(row, other))
      const isShared = row.destination_type === 'File' && !row.in_project_folder
      return [
        row.id,
        {
          ...(others.length > 0 && { shares_files_with: others.map(show) }),
          ...(isShared && { in_shared_folder: true as const }),
        },
      ]
    }),
  )
}

async function readableOf({ services, caller }: Request): Promise<(row: NamingRow) => boolean> {
  const projects = new Set((await reachableProjects(services, caller)).map(({ id }) => id))
  return (row) => projects.has(row.project_id)
}

/** Finds the exports that write the same files, which earlier versions accepted; call this when the service starts. */
export async function findSharedFiles(store: Store): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    await lockExportNames(transaction, 'all')
    const pairs = sharingPairs(await namingRows(transaction))
    await replaceSharedFiles(
      transaction,
      pairs.map(([one, other]) => [one.id, other.id]),
    )
  })
}
