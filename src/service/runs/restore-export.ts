import { sql } from 'kysely'
import { destinationKinds } from '../../contract/destinations/destination-kinds.ts'
import { conflict } from '../problems/api-error.ts'
import type { Services } from '../services.ts'
import { insertChange } from '../store/runs/changes-list.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import { anyBatchExport, type BatchExportRow } from '../store/runs/batch-exports.ts'
import type { IntegrationRow } from '../store/runs/integrations.ts'
import { findRow } from '../store/schema/rows.ts'
import { logExport } from './export-log.ts'
import { restoreRuns } from './restore-runs.ts'
import { writersOfSameFiles } from './same-files.ts'

type Deletion = {
  projectId: number
  id: string
  deletedAt: Date
  /** Label of the key that started the action. */
  actor: string
  /** Id of the change that deleted the export, if a user reverts it. */
  reverts?: string
}

/**
 * Restores a deleted export: its schedule continues where it stopped, and the runs that the deletion ended start over.
 * Returns false if the export has since been restored.
 * @throws ApiError 409 if another export now writes files with the same names, or its connection was deleted too.
 */
export async function undoDeletion(
  services: Pick<Services, 'clock'>,
  transaction: StoreTransaction,
  { projectId, id, deletedAt, actor, reverts }: Deletion,
): Promise<boolean> {
  const at = new Date(services.clock.now())
  const row = await anyBatchExport(transaction, id)
  const connection = await connectionOf(transaction, row)
  const integration_config = connection && { ...connection.config, name: connection.name }
  await assertNamesFree(transaction, { ...row, integration_config })
  const restored = await sql`
    UPDATE batch_exports SET deleted_at = NULL, last_updated_at = ${at}, integration_id = ${connection?.id ?? null}
    WHERE id = ${id} AND project_id = ${projectId} AND deleted_at = ${deletedAt}
    RETURNING id`.execute(transaction)
  if (restored.rows.length === 0) return false
  await restoreRuns(services, transaction, { status: 'Terminated', at: deletedAt, batchExportId: id })
  await insertChange(transaction, { batchExportId: id, kind: 'restored', actor, at, fields: [], reverts })
  await logExport(transaction, id, `Restored by key '${actor}': the deletion was undone.`, at)
  return true
}

/**
 * Returns the connection of a deleted export, or one that replaces it under its name, which is kept until the transaction ends;
 * null if the export uses none. @throws ApiError 409 if there is none any more.
 */
async function connectionOf(
  transaction: StoreTransaction,
  { project_id, destination_type, integration_id, integration_config }: BatchExportRow,
): Promise<IntegrationRow | null> {
  const kind = destinationKinds[destination_type].integration?.kind
  if (integration_config === null || !kind) return null
  const find = (where: Partial<IntegrationRow>) =>
    findRow(transaction, 'integrations', where, sql`FOR KEY SHARE`)
  const name = String(integration_config['name'])
  const found =
    (integration_id === null ? null : await find({ id: integration_id })) ??
    (await find({ project_id, kind, name }))
  if (found) return found
  throw conflict(
    `The connection "${name}" of the batch export was deleted too: create a connection with this name and the kind ${kind}, then restore the batch export.`,
  )
}

async function assertNamesFree(transaction: StoreTransaction, row: BatchExportRow): Promise<void> {
  if ((await writersOfSameFiles(transaction, row)).length > 0)
    throw conflict(
      'Another batch export now writes files with these names: change its destination, then undo the deletion.',
    )
}
