import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely'
import { inTransaction, rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import type { IntegrationsTable } from '../schema/integration-tables.ts'
import { assignments, countOf, deleteRows, findRow, findRows, updateRows } from '../schema/rows.ts'
import type { BatchExportRow } from './batch-exports.ts'

export type IntegrationRow = Selectable<IntegrationsTable>
export type ListedIntegration = IntegrationRow & {
  used_by: number
  creator: { uuid: string; first_name: string; email: string } | null
}

/** Lists the connections of a project, oldest first; with `kinds`, only these. */
export async function listIntegrations(store: Store, projectId: number, kinds: readonly string[] | null) {
  const ofKinds = kinds === null ? sql`true` : sql`kind = ANY (${kinds}::text[])`
  return await listed(store, sql`project_id = ${projectId} AND ${ofKinds}`)
}

export async function findIntegration(store: Store, projectIds: readonly number[], id: number) {
  const where = sql`integrations.id = ${id} AND project_id = ANY (${projectIds}::integer[])`
  return (await listed(store, where))[0]
}

async function listed(store: Store, where: RawBuilder<unknown>): Promise<ListedIntegration[]> {
  return await rowsOf<ListedIntegration>(store)`
    SELECT integrations.*,
      (SELECT count(*) FROM batch_exports WHERE integration_id = integrations.id AND deleted_at IS NULL) AS used_by,
      (SELECT jsonb_build_object('uuid', id, 'first_name', first_name, 'email', email) FROM users
        WHERE id = created_by) AS creator
    FROM integrations WHERE ${where} ORDER BY created_at, id`
}

/** Inserts a connection; returns why not if its project has `max` connections or one of this kind and name. */
export async function insertIntegration(
  store: Store,
  row: Insertable<IntegrationsTable>,
  max: number,
): Promise<IntegrationRow | 'too many' | 'same name'> {
  return await inTransaction(store, async (transaction) => {
    await sql`SELECT FROM projects WHERE id = ${row.project_id} FOR NO KEY UPDATE`.execute(transaction)
    const count = await countOf(transaction, sql`integrations WHERE project_id = ${row.project_id}`)
    if (count >= max) return 'too many'
    const inserted = transaction.insertInto('integrations').values(row).returningAll()
    const [made] = await inserted.onConflict((conflict) => conflict.doNothing()).execute()
    return made ?? 'same name'
  })
}

/** Deletes a connection unless exports use it; returns the names of those that do. */
export async function deleteIntegration(store: Store, id: number): Promise<string[]> {
  return await inTransaction(store, async (transaction) => {
    // An export that begins to use the connection waits for this lock, or keeps the connection until it is stored.
    await findRow(transaction, 'integrations', { id }, sql`FOR UPDATE`)
    const users = await usersOfIntegration(transaction, id)
    if (users.length === 0) await deleteRows(transaction, 'integrations', { id })
    return users.map(({ name }) => name)
  })
}

/** Returns the exports that use a connection, by name. */
export async function usersOfIntegration(store: Store, id: number): Promise<{ id: string; name: string }[]> {
  return await rowsOf<{ id: string; name: string }>(store)`
    SELECT id, name FROM batch_exports WHERE integration_id = ${id} AND deleted_at IS NULL ORDER BY name, id`
}

/** Locks the exports that use a connection until the transaction ends, and returns them by name. */
export async function lockUsers(transaction: StoreTransaction, id: number): Promise<BatchExportRow[]> {
  return await findRows(
    transaction,
    'batch_exports',
    { integration_id: id, deleted_at: null },
    sql`ORDER BY name, id FOR NO KEY UPDATE`,
  )
}

/** How a run or a test with a connection ended: `error` says why it failed, without secrets; null if it worked. */
export type ConnectionUse = { at: Date; error: string | null }

/** Notes how a use of a connection ended. */
export async function noteUse(store: Store, id: number, { at, error }: ConnectionUse): Promise<void> {
  await updateRows(store, 'integrations', { id }, changeOf({ at, error }))
}

/** Without the server's own words in parentheses, which can quote values of rows. */
function changeOf({ at, error }: ConnectionUse) {
  if (error === null) return { last_worked_at: at }
  return { last_failed_at: at, last_error: error.replace(/ \(.*\)$/s, '') }
}

/** Notes how a run of an export ended for its connection, if it has one. */
export async function noteRun(
  transaction: StoreTransaction,
  batchExportId: string,
  { at, error }: ConnectionUse,
): Promise<void> {
  await sql`UPDATE integrations SET ${assignments(changeOf({ at, error }))}
    WHERE id = (SELECT integration_id FROM batch_exports WHERE id = ${batchExportId})`.execute(transaction)
}
