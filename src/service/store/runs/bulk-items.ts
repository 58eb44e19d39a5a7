import { sql, type Insertable, type RawBuilder } from 'kysely'
import { isRunInProgress, runStatuses } from '../../../contract/runs/run-status.ts'
import { bulkItemsMax } from '../../../contract/bulk-action.ts'
import type { BulkActionRow } from './bulk-actions.ts'
import type { BulkActionsTable } from '../schema/bulk-tables.ts'
import { inTransaction, rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import { deleteRows, insertRow, updateRow } from '../schema/rows.ts'
import { exportsWithCause, remainingRuns, type FailureFilter, type FailurePeriod } from './failure-causes.ts'
import { runConditions, type RunFilter } from './runs-list.ts'

/** Reason why an object that the request names cannot be changed. */
const unknownReason = 'Not found: it was deleted or belongs to another project.'

/** Selects the objects of an action: columns `object_id`, `name`, `visitor` and `found`, in order. */
export type ItemSource = RawBuilder<unknown>

/**
 * Creates a bulk action with its objects, as they are now. Unknown objects become failures.
 * @returns null if the source has more than `bulkItemsMax` objects; nothing is stored then.
 */
export async function insertBulkAction(
  store: Store,
  row: Omit<Insertable<BulkActionsTable>, 'total' | 'failed' | 'status'>,
  source: ItemSource,
): Promise<BulkActionRow | null> {
  return await inTransaction(store, async (transaction) => {
    const { id } = await insertRow(transaction, 'bulk_actions', { ...row, status: 'Running', total: 0 })
    const { total, failed } = await insertItems(transaction, id, source)
    if (total > bulkItemsMax) {
      await deleteRows(transaction, 'bulk_actions', { id })
      return null
    }
    const action = await updateRow(transaction, 'bulk_actions', { id }, { total, failed })
    if (!action) throw new Error(`there is no bulk action ${id}`)
    return action
  })
}

async function insertItems(transaction: StoreTransaction, id: string, source: ItemSource) {
  const rows = await rowsOf<{ total: number; failed: number }>(transaction)`
    WITH inserted AS (
      INSERT INTO bulk_action_items (bulk_action_id, number, object_id, name, visitor, status, reason)
      SELECT ${id}::uuid, row_number() OVER (), object_id, name, visitor, CASE WHEN found THEN 'Pending' ELSE 'Failed' END,
        CASE WHEN found THEN NULL ELSE ${unknownReason} END
      FROM (SELECT * FROM (${source}) AS chosen LIMIT ${bulkItemsMax + 1}) AS item
      RETURNING status)
    SELECT count(*) AS total, count(*) FILTER (WHERE status = 'Failed') AS failed FROM inserted`
  return rows[0] ?? { total: 0, failed: 0 }
}

/** The ids of a request, each once, in their order. */
function given(ids: readonly string[]): RawBuilder<unknown> {
  return sql`unnest(${[...new Set(ids)]}::text[]) WITH ORDINALITY AS given (id, place)`
}

/** The UUID of a given id; NULL for any other text. */
const givenUuid = sql`CASE WHEN pg_input_is_valid(given.id, 'uuid') THEN given.id::uuid END`

/** Names also deleted objects, for the reports of failures. */
export function exportsById(projectId: number, ids: readonly string[]): ItemSource {
  return sql`SELECT given.id AS object_id, coalesce(batch_export.name, 'Unknown export') AS name, NULL::text AS visitor,
      batch_export.id IS NOT NULL AND batch_export.deleted_at IS NULL AS found
    FROM ${given(ids)} LEFT JOIN batch_exports batch_export
      ON batch_export.id = ${givenUuid} AND batch_export.project_id = ${projectId}
    ORDER BY place`
}

type ExportFilter = {
  paused?: boolean | undefined
  /** Only exports with a run that failed with this cause in the period. */
  failed?: { period: FailurePeriod; cause: string } | undefined
}

export function exportsBy(projectId: number, { paused, failed }: ExportFilter): ItemSource {
  const ofState = paused === undefined ? sql`` : sql`AND paused = ${paused}`
  const ofCause = failed ? sql`AND id IN ${exportsWithCause(failed.period, failed.cause)}` : sql``
  return sql`SELECT id::text AS object_id, name, NULL::text AS visitor, true AS found FROM batch_exports
    WHERE project_id = ${projectId} AND deleted_at IS NULL ${ofState} ${ofCause} ORDER BY created_at DESC, id DESC`
}

/** Names a run after its export and the start of its data interval. */
const nameOfRun = (exportName: string, start: string) =>
  sql`concat(${sql.ref(exportName)}, ', ', to_char(${sql.ref(start)} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI UTC'))`
const runName = nameOfRun('batch_export.name', 'run.data_interval_start')

export function runsById(projectId: number, ids: readonly string[]): ItemSource {
  return sql`SELECT given.id AS object_id, CASE WHEN run.id IS NULL THEN 'Unknown run' ELSE ${runName} END AS name, NULL::text AS visitor,
      run.id IS NOT NULL AND batch_export.deleted_at IS NULL AS found
    FROM ${given(ids)} LEFT JOIN batch_export_runs run ON run.id = ${givenUuid} AND run.project_id = ${projectId}
      LEFT JOIN batch_exports batch_export ON batch_export.id = run.batch_export_id
    ORDER BY place`
}

/** The runs of an export that match a filter and that the action applies to: those in progress, or those that have ended. */
export function runsBy(
  projectId: number,
  { batchExportId, inProgress, ...filter }: RunFilter & { batchExportId: string; inProgress: boolean },
): ItemSource {
  const statuses = runStatuses.filter((status) => isRunInProgress(status) === inProgress)
  return sql`SELECT run.id::text AS object_id, ${runName} AS name, NULL::text AS visitor, true AS found
    FROM batch_export_runs run JOIN batch_exports batch_export ON batch_export.id = run.batch_export_id
    WHERE run.batch_export_id = ${batchExportId} AND run.project_id = ${projectId} AND batch_export.deleted_at IS NULL
      AND run.status = ANY (${statuses}::text[]) AND ${runConditions(filter)}
    ORDER BY run.created_at, run.id`
}

/** The newest failed run of each window that failed and has not been exported since, oldest window first. */
export function failedRuns(period: FailurePeriod, filter: FailureFilter): ItemSource {
  return sql`SELECT id::text AS object_id, ${nameOfRun('name', 'starts')} AS name, NULL::text AS visitor, true AS found
    FROM ${remainingRuns(period, filter)} run ORDER BY starts, id`
}

const personName = sql`(SELECT person_name(person.properties) FROM person_distinct_ids own
    JOIN persons person ON person.id = own.person_id
    WHERE own.project_id = recording.project_id AND own.distinct_id = recording.distinct_id)`

/** Names a recording after its person, else by its distinct id. */
export const recordingName = sql`coalesce(${personName}, recording.distinct_id)`

/** Also names recordings that were deleted, while their deletion can be undone. */
export function recordingsBySession(projectId: number, sessionIds: readonly string[]): ItemSource {
  return sql`SELECT given.id AS object_id, CASE WHEN recording.id IS NULL THEN 'Unknown recording'
      WHEN distinct_id = '' THEN 'Deleted recording' ELSE ${recordingName} END AS name,
      CASE WHEN distinct_id <> '' AND ${personName} IS NULL THEN distinct_id END AS visitor,
      recording.id IS NOT NULL AND recording.deleted_at IS NULL AS found
    FROM ${given(sessionIds)} LEFT JOIN session_recordings recording
      ON recording.project_id = ${projectId} AND recording.session_id = given.id
    ORDER BY place`
}

export function recordingsBy(projectId: number, conditions: readonly RawBuilder<boolean>[]): ItemSource {
  return sql`SELECT recording.session_id AS object_id, ${recordingName} AS name,
      CASE WHEN ${personName} IS NULL THEN distinct_id END AS visitor, true AS found
    FROM session_recordings recording
    WHERE ${sql.join([sql`project_id = ${projectId}`, sql`deleted_at IS NULL`, ...conditions], sql` AND `)}
    ORDER BY recording.start_time DESC, recording.id DESC`
}
