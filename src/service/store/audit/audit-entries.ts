import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely'
import { auditObjectOf, type AuditAction } from '../../../contract/audit/audit-actions.ts'
import type { AuditEntriesTable, AuditValues } from '../schema/audit-tables.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import { newId } from '../schema/identifier.ts'
import { keysetPage, type PagePosition } from '../schema/keyset-page.ts'
import { actingNow, type Acting } from './acting.ts'

export type AuditRow = Selectable<AuditEntriesTable>

export type NewAuditEntry = {
  organizationId: string
  projectId?: number | null
  action: AuditAction
  at: Date
  /** What the action changed or read. Never a recorded person's id, name or address: see `hashedPerson`. */
  object?: { id: string | null; name: string | null }
  /** Values of the fields that changed, without secrets. */
  before?: AuditValues
  after?: AuditValues
  /** By default, who acts now. */
  acting?: Acting
  /** The entry is written once for this text. */
  once?: string
}

/** Characters of a text in `before` and `after` that are kept. */
const valueLengthMax = 2000
const nameLengthMax = 300
/** Items of a list in `before` and `after` that are kept. */
const itemsMax = 100
const batchSize = 1000

/**
 * Adds an entry to an organization's audit log. Call it in the transaction of the change, so that neither exists without the
 * other; without a change, before the response is sent.
 */
export async function audit(store: Store, entry: NewAuditEntry): Promise<void> {
  const { actor, address, requestId } = entry.acting ?? actingNow()
  const row: Insertable<AuditEntriesTable> = {
    id: newId(entry.at.getTime()),
    organization_id: entry.organizationId,
    project_id: entry.projectId ?? null,
    created_at: entry.at,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name.slice(0, nameLengthMax),
    address,
    action: entry.action,
    object_type: auditObjectOf(entry.action),
    object_id: entry.object?.id ?? null,
    object_name: entry.object?.name?.slice(0, nameLengthMax) ?? null,
    before: stored(entry.before),
    after: stored(entry.after),
    request_id: requestId,
    once: entry.once ?? null,
    seal: null,
  }
  await store
    .insertInto('audit_entries')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organization_id', 'once']).doNothing())
    .execute()
}

function stored(values: AuditValues | undefined): string | null {
  if (!values || Object.keys(values).length === 0) return null
  return JSON.stringify(values, (_, value: unknown) => {
    if (typeof value === 'string') return shortened(value)
    if (!Array.isArray(value) || value.length <= itemsMax) return value
    return [...value.slice(0, itemsMax), `and ${value.length - itemsMax} more`]
  })
}

function shortened(text: string): string {
  const plain = text.toWellFormed().replaceAll('\0', '')
  return plain.length > valueLengthMax ? `${plain.slice(0, valueLengthMax)}…`.toWellFormed() : plain
}

export type AuditEntryFilter = {
  organizationId: string
  /** Only entries of these projects; null: all, also those of no project. */
  projectIds: readonly number[] | null
  actor?: string | undefined
  actions?: readonly AuditAction[] | undefined
  objectType?: string | undefined
  object?: string | undefined
  project?: number | undefined
  /** An ILIKE pattern. */
  pattern?: string | undefined
  after?: Date | undefined
  before?: Date | undefined
}

/** Returns a page of entries, newest first; null if the position's entry is not among them. */
export function pageOfEntries(store: Store, filter: AuditEntryFilter, position: PagePosition | null) {
  return keysetPage<AuditRow>(store, { from: sql`audit_entries`, among: matching(filter), position })
}

/** Yields all matching entries in batches, oldest first. */
export async function* entriesOldestFirst(store: Store, filter: AuditEntryFilter) {
  let after = sql``
  for (;;) {
    const rows = await rowsOf<AuditRow>(store)`
      SELECT * FROM audit_entries WHERE ${matching(filter)} ${after} ORDER BY created_at, id LIMIT ${batchSize}`
    const last = rows.at(-1)
    if (last) yield rows
    if (!last || rows.length < batchSize) return
    after = sql`AND (created_at, id) > (${last.created_at}, ${last.id}::uuid)`
  }
}

function matching(filter: AuditEntryFilter): RawBuilder<unknown> {
  const { actor, actions, objectType, object, project, pattern, after, before } = filter
  const conditions = [sql`organization_id = ${filter.organizationId}`]
  if (filter.projectIds) conditions.push(sql`project_id = ANY (${filter.projectIds}::integer[])`)
  if (actor !== undefined) conditions.push(sql`(actor_id = ${actor} OR actor_name = ${actor})`)
  if (actions) conditions.push(sql`action = ANY (${actions}::text[])`)
  if (objectType !== undefined) conditions.push(sql`object_type = ${objectType}`)
  if (object !== undefined) conditions.push(sql`object_id = ${object}`)
  if (project !== undefined) conditions.push(sql`project_id = ${project}`)
  if (after) conditions.push(sql`created_at >= ${after}`)
  if (before) conditions.push(sql`created_at < ${before}`)
  if (pattern !== undefined)
    conditions.push(sql`concat_ws(' ', actor_name, actor_id, address, action, object_name, object_id, request_id,
      before, after) ILIKE ${pattern}`)
  return sql.join(conditions, sql` AND `)
}
