import { sql, type RawBuilder, type Selectable, type Updateable } from 'kysely'
import type { Transition } from '../../../contract/alerts/alert-incident.ts'
import type { AlertKind } from '../../../contract/alerts/alert-rule.ts'
import type { IncidentsTable } from '../schema/alert-tables.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import { countOf, findRow, offsetPage, updateRows, type Page } from '../schema/rows.ts'

export type IncidentRow = Selectable<IncidentsTable>
/** An export that an incident affects; times in milliseconds, `until` is null while it does. */
export type AffectedExport = { id: string; name: string; since: number; until: number | null }
export type ListedIncident = IncidentRow & {
  export_count: number
  /** Exports that an open incident still affects; of a recovered one, all. */
  affected_count: number
  /** Those still affected first. Deleted ones are left out, unless all are. */
  exports: AffectedExport[]
  /** Whether it affected exports that have all been deleted. */
  all_deleted: boolean
  /** Oldest first. */
  transitions: { transition: Transition; at: number }[]
}

export type IncidentFilter = {
  /** Kinds that are left out. */
  hidden: readonly AlertKind[]
  status?: 'open' | 'recovered' | undefined
  kind?: AlertKind | undefined
  batchExportId?: string | undefined
  since?: Date | undefined
}

const milliseconds = (column: string) => sql`(date_part('epoch', ${sql.ref(column)}) * 1000)::bigint`

/** Returns a page of a project's incidents, newest first, each with at most `exportsMax` exports, and the total count. */
export async function pageOfIncidents(
  store: Store,
  projectId: number,
  filter: IncidentFilter,
  page: Page,
  exportsMax: number,
) {
  const from = sql`incidents WHERE ${matching(projectId, filter)}`
  return await offsetPage(store, from, 'opened_at', page, (rows) => listed(store, rows, exportsMax))
}

export function countOpenIncidents(store: Store, projectId: number, hidden: readonly AlertKind[]) {
  return countOf(store, sql`incidents WHERE ${matching(projectId, { status: 'open', hidden })}`)
}

/** Returns how many incidents of these projects are open, and when one last changed; those of the kinds in `hidden` do not count. */
export async function sumUpIncidents(
  store: Store,
  projectIds: readonly number[],
  hidden: readonly AlertKind[],
): Promise<{ open: number; changedAt: Date | null }> {
  const { rows } = await sql<{ open: number; changedAt: Date | null }>`
    SELECT coalesce(sum(counted.open), 0)::bigint AS open, max(counted.changed) AS "changedAt"
    FROM unnest(${projectIds}::integer[]) AS project (id) CROSS JOIN LATERAL (
      SELECT (SELECT count(*) FROM incidents WHERE project_id = project.id AND recovered_at IS NULL
          AND kind <> ALL (${hidden}::text[])) AS open,
        (SELECT max(last_updated_at) FROM incidents WHERE project_id = project.id AND kind <> ALL (${hidden}::text[]))
          AS changed) counted`.execute(store)
  return rows[0] ?? { open: 0, changedAt: null }
}

/** Finds an incident, except those of the kinds in `hidden`; `id` must be a UUID. */
export function findIncident(
  store: Store,
  projectIds: readonly number[],
  id: string,
  hidden: readonly AlertKind[],
): Promise<IncidentRow | undefined> {
  const isShown = sql`AND kind <> ALL (${hidden}::text[])`
  return findRow(store, 'incidents', { id, project_id: projectIds }, isShown)
}

/** Returns incidents with their exports and transitions, newest first; `ids` must be UUIDs. */
export function readIncidents(store: Store, ids: readonly string[], exportsMax: number) {
  return listed(store, sql`SELECT * FROM incidents WHERE id = ANY (${ids}::uuid[])`, exportsMax)
}

/** Changes an open incident; returns whether it was open. */
export async function updateOpenIncident(store: Store, id: string, changes: Updateable<IncidentsTable>) {
  return (await updateRows(store, 'incidents', { id, recovered_at: null }, changes)) === 1
}

async function listed(store: Store, incidents: RawBuilder<unknown>, exportsMax: number) {
  return await rowsOf<ListedIncident>(store)`
    SELECT incident.*, affected.count AS export_count, affected.still AS affected_count, affected.exports, affected.all_deleted, history.transitions FROM (${incidents}) incident
    CROSS JOIN LATERAL (
      SELECT count(*) AS count, count(*) FILTER (WHERE until IS NULL OR incident.recovered_at IS NOT NULL) AS still,
        coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'since', since, 'until', until) ORDER BY place)
          FILTER (WHERE place <= ${exportsMax}), '[]') AS exports,
        coalesce(bool_and(all_deleted), false) AS all_deleted
      FROM (SELECT export.id, export.name, ${milliseconds('since')} AS since, ${milliseconds('until')} AS until,
          deleted_at IS NOT NULL AS deleted, bool_and(deleted_at IS NOT NULL) OVER () AS all_deleted,
          row_number() OVER (ORDER BY deleted_at IS NOT NULL, until DESC NULLS FIRST, since, export.id) AS place
        FROM incident_exports JOIN batch_exports export ON export.id = batch_export_id
        WHERE incident_id = incident.id) numbered
      WHERE all_deleted OR NOT deleted) affected
    CROSS JOIN LATERAL (
      SELECT coalesce(jsonb_agg(jsonb_build_object('transition', transition, 'at', ${milliseconds('at')}) ORDER BY at, id), '[]')
        AS transitions
      FROM incident_transitions WHERE incident_id = incident.id) history
    ORDER BY incident.opened_at DESC, incident.id DESC`
}

function matching(projectId: number, { hidden, status, kind, batchExportId, since }: IncidentFilter) {
  const conditions = [sql`project_id = ${projectId} AND kind <> ALL (${hidden}::text[])`]
  if (status !== undefined)
    conditions.push(status === 'open' ? sql`recovered_at IS NULL` : sql`recovered_at IS NOT NULL`)
  if (kind !== undefined) conditions.push(sql`kind = ${kind}`)
  if (since !== undefined) conditions.push(sql`last_updated_at >= ${since}`)
  if (batchExportId !== undefined)
    conditions.push(
      sql`id IN (SELECT incident_id FROM incident_exports WHERE batch_export_id = ${batchExportId})`,
    )
  return sql.join(conditions, sql` AND `)
}
