import { sql, type Selectable } from 'kysely'
import type { ChangedField, ChangeKind } from '../../../contract/exports/batch-export-change.ts'
import { actingNow } from '../audit/acting.ts'
import { audit } from '../audit/audit-entries.ts'
import { anyBatchExport, type BatchExportRow } from './batch-exports.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import type { ChangesTable } from '../schema/export-tables.ts'
import { findOfProjects } from '../schema/find-of-projects.ts'
import { newId } from '../schema/identifier.ts'
import { findRows } from '../schema/rows.ts'
import { keysetPage, type KeysetPage, type PagePosition } from '../schema/keyset-page.ts'

export type ChangeRow = Selectable<ChangesTable>

export type NewChange = {
  batchExportId: string
  kind: ChangeKind
  /** Label of the API key that made the change; null for the service itself. */
  actor: string | null
  at: Date
  fields: readonly ChangedField[]
  /** Name of the file from which the change is applied. */
  source?: string | undefined
  /** Id of the change that this one reverts. */
  reverts?: string | undefined
}

/** Adds an entry to a batch export's history and to the audit log; call in the transaction of the change. */
export async function insertChange(store: Store, change: NewChange): Promise<void> {
  await auditChange(store, change)
  await store
    .insertInto('batch_export_changes')
    .values(({ selectFrom }) => ({
      id: newId(change.at.getTime()),
      batch_export_id: change.batchExportId,
      kind: change.kind,
      actor: change.actor,
      created_at: change.at,
      fields: JSON.stringify(change.fields),
      project_id: selectFrom('batch_exports')
        .select('project_id')
        .where('id', '=', change.batchExportId)
        .$asScalar(),
      source: change.source ?? null,
      reverts: change.reverts ?? null,
    }))
    .execute()
}

async function auditChange(store: Store, change: NewChange): Promise<void> {
  const { batchExportId, kind, actor, at, fields } = change
  const [found] = await rowsOf<{ name: string; project_id: number; organization_id: string }>(store)`
    SELECT batch_exports.name, project_id, organization_id
    FROM batch_exports JOIN projects ON projects.id = project_id WHERE batch_exports.id = ${batchExportId}`
  if (!found) throw new Error(`there is no batch export ${batchExportId}`)
  const acting = actingNow()
  // Work on behalf of a key that runs in the background, such as a bulk action.
  const isBehalf = actor !== null && acting.actor.kind === 'system'
  await audit(store, {
    organizationId: found.organization_id,
    projectId: found.project_id,
    action: `export.${kind}`,
    at,
    object: { id: batchExportId, name: found.name },
    ...valuesOfFields(fields),
    ...(isBehalf && { acting: { ...acting, actor: { kind: 'key', id: null, name: actor } } }),
  })
}

/** Returns the values of changed fields as the audit log has them; of a secret only that it changed. */
export function valuesOfFields(fields: readonly ChangedField[]) {
  const values = (of: 'before' | 'after', secret: string | undefined) =>
    Object.fromEntries(
      fields
        .map((field) => [field.field, field.secret ? secret : field[of]] as const)
        .filter(([, value]) => value !== undefined && value !== null),
    )
  return { before: values('before', undefined), after: values('after', 'changed') }
}

export type ChangeFilter = {
  batchExportId?: string | undefined
  kinds?: readonly ChangeKind[] | undefined
  actor?: string | undefined
  search?: {
    /** An ILIKE pattern, which the export's name, an author, a file, or a field or its value must match. */
    pattern: string
    /** Fields of which any also suffices. */
    fields: readonly string[]
  }
  after?: Date | undefined
  before?: Date | undefined
}

/** Returns a page of a project's changes, newest first; null if the position's row is not among them. */
export function pageOfChanges(
  store: Store,
  projectId: number,
  { batchExportId, kinds, actor, search, after, before }: ChangeFilter,
  position: PagePosition | null,
): Promise<KeysetPage<ChangeRow> | null> {
  const among = [sql`project_id = ${projectId}`]
  if (batchExportId !== undefined) among.push(sql`batch_export_id = ${batchExportId}`)
  if (kinds) among.push(sql`kind = ANY (${kinds}::text[])`)
  if (actor !== undefined) among.push(sql`actor = ${actor}`)
  if (after) among.push(sql`created_at >= ${after}`)
  if (before) among.push(sql`created_at < ${before}`)
  if (search) among.push(matches(search))
  const from = sql`batch_export_changes AS change`
  return keysetPage(store, { from, among: sql.join(among, sql` AND `), position })
}

function matches({ pattern, fields }: NonNullable<ChangeFilter['search']>) {
  return sql<boolean>`(
    coalesce(change.actor, 'the service') ILIKE ${pattern} OR change.source ILIKE ${pattern} OR EXISTS (
      SELECT FROM batch_exports WHERE id = change.batch_export_id AND name ILIKE ${pattern}) OR EXISTS (
      SELECT FROM jsonb_array_elements(change.fields) AS field WHERE field ->> 'field' = ANY (${fields}::text[])
        OR concat_ws(' ', field ->> 'field', field ->> 'before', field ->> 'after') ILIKE ${pattern}))`
}

/** A change with its batch export, which may have been deleted since. */
export type FoundChange = { change: ChangeRow; batchExport: BatchExportRow }

/** Finds a change of these projects; `id` must be a UUID. */
export async function findChange(store: Store, projectIds: readonly number[], id: string) {
  const change = await findOfProjects(store, 'batch_export_changes', projectIds, id)
  return change && { change, batchExport: await anyBatchExport(store, change.batch_export_id) }
}

/** Returns the batch exports of changes by id, deleted ones included. */
export async function exportsOfChanges(store: Store, changes: readonly ChangeRow[]) {
  const rows = await findRows(store, 'batch_exports', { id: changes.map((change) => change.batch_export_id) })
  return new Map(rows.map((row) => [row.id, row]))
}
