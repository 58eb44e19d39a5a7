import { defaultRule, type AlertKind, type RuleSettings } from '../../contract/alerts/alert-rule.ts'
import type { AlertRuleRow } from '../store/alerts/alert-rules.ts'
import type { Project } from '../store/accounts/projects.ts'

export type EffectiveRules = (projectId: number, kind: AlertKind, exportId: string | null) => RuleSettings

/** Returns a function that finds the rule which applies: the export's, else the project's, the organization's or the default. */
export function effectiveRules(
  rows: readonly AlertRuleRow[],
  projects: readonly Pick<Project, 'id' | 'organization_id'>[],
): EffectiveRules {
  const known = new Map(
    rows.map((row) => [keyOf(row.kind, row.batch_export_id ?? row.project_id ?? row.organization_id), row]),
  )
  const organizations = new Map(projects.map((project) => [project.id, project.organization_id]))
  return (projectId, kind, exportId) => {
    const objects = [exportId, projectId, organizations.get(projectId)]
    return objects.map((object) => known.get(keyOf(kind, object))).find(Boolean) ?? defaultRule
  }
}

function keyOf(kind: AlertKind, object: string | number | null | undefined): string {
  return `${kind} ${object ?? ''}`
}
