import { sql } from 'kysely'
import type { BatchExportRow } from './batch-exports.ts'
import type { Store, StoreTransaction } from '../schema/database.ts'

/** First key of advisory locks that nothing else in this database uses. */
const lockSpace = 4284

/** Makes other transactions that lock the same names wait until this one ends. */
export async function lockExportNames(transaction: StoreTransaction, names: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${lockSpace}::integer, hashtext(${names}))`.execute(transaction)
}

const columns = [
  'id',
  'project_id',
  'name',
  'model',
  'interval',
  'destination_type',
  'destination_config',
  'in_project_folder',
] as const

export type NamingRow = Pick<BatchExportRow, (typeof columns)[number]>

/**
 * Returns all exports that are not deleted, of every project; with `like`, only those of its destination and interval whose
 * folder has variables or is `folder`, the normalised folder of an export without variables.
 */
export async function namingRows(
  store: Store,
  like?: Pick<NamingRow, 'destination_type' | 'destination_config' | 'interval'>,
  folder: string | null = null,
): Promise<NamingRow[]> {
  const rows = store.selectFrom('batch_exports').select(columns).where('deleted_at', 'is', null)
  if (!like) return await rows.execute()
  const bucket = like.destination_config['bucket_name'] ?? null
  return await rows
    .where('destination_type', '=', like.destination_type)
    .where('interval', '=', like.interval)
    .where(
      sql<boolean>`destination_config -> 'bucket_name' IS NOT DISTINCT FROM ${bucket && JSON.stringify(bucket)}::jsonb`,
    )
    .$if(folder !== null, (matching) =>
      matching.where(
        sql<boolean>`(position('{' in ${folderText}) > 0 OR btrim(regexp_replace('/' || ${folderText} || '/', '/([.]?/)+', '/', 'g'), '/') = ${folder})`,
      ),
    )
    .execute()
}

const folderText = sql`concat(
  CASE WHEN in_project_folder AND destination_type = 'File' THEN project_id || '/' END,
  CASE destination_type WHEN 'File' THEN destination_config ->> 'path' ELSE destination_config ->> 'prefix' END)`

/** Finds an export, deleted or not. */
export function findNamingRow(store: Store, id: string): Promise<NamingRow | undefined> {
  return store.selectFrom('batch_exports').select(columns).where('id', '=', id).executeTakeFirst()
}

/** Stores the pairs of exports that could write the same files. */
export async function replaceSharedFiles(
  transaction: StoreTransaction,
  pairs: readonly (readonly [string, string])[],
): Promise<void> {
  await transaction.deleteFrom('batch_export_shared_files').execute()
  const both = pairs.flatMap(([one, other]) => [
    [one, other],
    [other, one],
  ])
  await sql`
    INSERT INTO batch_export_shared_files (batch_export_id, other_id)
    SELECT * FROM unnest(${both.map(([one]) => one)}::uuid[], ${both.map(([, other]) => other)}::uuid[])`.execute(
    transaction,
  )
}

/** Returns, by export, those that could write the same files as the export when the service started. */
export async function storedSharedFiles(
  store: Store,
  exportIds: readonly string[],
): Promise<Map<string, NamingRow[]>> {
  const rows = await store
    .selectFrom('batch_export_shared_files as shared')
    .innerJoin('batch_exports as other', 'other.id', 'shared.other_id')
    .select('shared.batch_export_id')
    .select(columns.map((column) => `other.${column}` as const))
    .where('other.deleted_at', 'is', null)
    .where(sql<boolean>`shared.batch_export_id = ANY (${exportIds}::uuid[])`)
    .orderBy('other.created_at')
    .execute()
  return Map.groupBy(rows, (row) => row.batch_export_id)
}
