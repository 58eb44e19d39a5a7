import { sql, type Selectable } from 'kysely'
import type { AlertRulesTable } from '../schema/alert-tables.ts'
import type { Store } from '../schema/database.ts'
import type { Project } from '../accounts/projects.ts'

export type AlertRuleRow = Selectable<AlertRulesTable>
export type NamedRuleRow = AlertRuleRow & { export_name: string | null }

/** Lists the rules of a project, of its exports and of its organization. */
export function listAlertRules(store: Store, project: Project): Promise<NamedRuleRow[]> {
  return named(store)
    .where('alert_rules.organization_id', '=', project.organization_id)
    .where((where) =>
      where.or([
        where('alert_rules.project_id', '=', project.id),
        where('alert_rules.project_id', 'is', null),
      ]),
    )
    .orderBy(sql`batch_exports.name NULLS FIRST`)
    .orderBy('alert_rules.id')
    .execute()
}

/** Finds a rule of one of these projects or of their organizations; `id` must be a UUID. */
export async function findAlertRule(store: Store, projects: readonly Project[], id: string) {
  const row = await named(store).where('alert_rules.id', '=', id).executeTakeFirst()
  const isReachable = projects.some(
    (project) =>
      row?.organization_id === project.organization_id &&
      (row.project_id === null || row.project_id === project.id),
  )
  return isReachable ? row : undefined
}

/** Inserts a rule; returns whether there was none for the same objects and kind. */
export async function insertAlertRule(store: Store, row: AlertRuleRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await store
    .insertInto('alert_rules')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Rules of deleted exports are left out. */
function named(store: Store) {
  return store
    .selectFrom('alert_rules')
    .leftJoin('batch_exports', 'batch_exports.id', 'alert_rules.batch_export_id')
    .selectAll('alert_rules')
    .select('batch_exports.name as export_name')
    .where('batch_exports.deleted_at', 'is', null)
}
