import { sql } from 'kysely'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import { destinationTypes } from '../../../contract/destinations/destination-types.ts'
import type { DestinationType } from '../../../contract/destinations/destination.ts'
import type { BatchExportRow } from './batch-exports.ts'
import { rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'

/** First key of advisory locks that nothing else in this database uses. */
const lockSpace = 4284

/** Makes other transactions that lock the same names wait until this one ends. */
export async function lockExportNames(transaction: StoreTransaction, names: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${lockSpace}::integer, hashtext(${names}))`.execute(transaction)
}

/**
 * Returns the exports of every project that are not deleted, have a destination like that of `like` and its interval, and a folder that
 * has variables or is `folder`, the normalised folder of an export without variables; null for any folder.
 */
export async function namingRows(
  store: Store,
  like: Pick<BatchExportRow, 'destination_type' | 'destination_config' | 'interval'>,
  folder: string | null,
): Promise<BatchExportRow[]> {
  const { isOnDisk, folderField, container } = destinationKinds[like.destination_type]
  const bucket = container.field === folderField ? null : (like.destination_config[container.field] ?? null)
  const types = destinationTypes.filter((type) => canHoldSame(like.destination_type, type))
  const folderText = sql`concat(CASE WHEN ${isOnDisk} THEN project_id || '/' END, destination_config ->> ${folderField}::text)`
  return await rowsOf<BatchExportRow>(store)`
    SELECT * FROM batch_exports WHERE deleted_at IS NULL AND destination_type = ANY (${types}::text[]) AND interval = ${like.interval}
      AND (${container.field === folderField} OR destination_config -> ${container.field}::text IS NOT DISTINCT FROM ${bucket && JSON.stringify(bucket)}::jsonb)
      AND (${folder}::text IS NULL OR position('{' in ${folderText}) > 0
        OR btrim(regexp_replace('/' || ${folderText} || '/', '/([.]?/)+', '/', 'g'), '/') = ${folder})`
}

/** Whether two types name their place by the same fields, as the S3 family does; the stores may still differ. */
export function canHoldSame(one: DestinationType, other: DestinationType): boolean {
  const [a, b] = [destinationKinds[one], destinationKinds[other]]
  return a.container.field === b.container.field && a.folderField === b.folderField
}
