import {
  alertKinds,
  appliedRemindMinutes,
  defaultRule,
  exportAlertKinds,
  ruleLevels,
  AlertRule,
  type RuleSettings,
} from '../../../contract/alerts/alert-rule.ts'
import type { Caller } from '../../auth/caller.ts'
import { isUuid } from '../../auth/uuid.ts'
import { pageOfList } from '../../http/page-links.ts'
import { conflict, invalidInput, unknownId, permissionDenied } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { channelsAmong } from '../../store/alerts/alert-channels.ts'
import {
  insertAlertRule,
  listAlertRules as listRules,
  type NamedRuleRow,
} from '../../store/alerts/alert-rules.ts'
import { newId } from '../../store/schema/identifier.ts'
import { deleteRows, updateRow } from '../../store/schema/rows.ts'
import { namedExport } from '../exports/named-export.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'

/** By kind: the default first, then the organization's, the project's and the exports' rules. */
export const listAlertRules: Handler<'listAlertRules'> = async (request) => {
  const shown = (await listRules(request.services.store, request.project)).map(show)
  const rules = alertKinds.flatMap((kind) => [
    defaultOf(kind),
    ...ruleLevels.flatMap((level) => shown.filter((rule) => rule.kind === kind && rule.level === level)),
  ])
  return pageOfList(rules, request, (rule) => rule)
}

export const createAlertRule: Handler<'createAlertRule'> = async (request) => {
  const { services, caller, project, body } = request
  const { kind, level, batch_export, ...settings } = body
  if (level === 'organization') assertWholeOrganization(caller)
  if ((level === 'export') !== (batch_export !== undefined))
    throw invalidInput("'batch_export' is required for level 'export', and only allowed there.", [
      'batch_export',
    ])
  if (level === 'export' && !exportAlertKinds.includes(kind))
    throw invalidInput('A rule of this kind applies to a whole project, not to an export.', ['level'])
  assertSettings(kind, settings)
  await assertChannels(services, level, project.id, settings.channels)
  const batchExport =
    batch_export === undefined ? null : await namedExport(services, [project], batch_export, ['batch_export'])
  const now = new Date(services.clock.now())
  const row = {
    id: newId(now.getTime()),
    organization_id: project.organization_id,
    project_id: level === 'organization' ? null : project.id,
    batch_export_id: batchExport?.id ?? null,
    kind,
    ...settings,
    actor: caller.name,
    created_at: now,
    last_updated_at: now,
  }
  if (!(await insertAlertRule(services.store, row)))
    throw conflict('This rule already exists: change it instead.')
  return show({ ...row, export_name: batchExport?.name ?? null })
}

export const getAlertRule: Handler<'getAlertRule'> = async ({ alertRule }) => show(alertRule)

export const updateAlertRule: Handler<'updateAlertRule'> = async (request) => {
  const { services, caller, project, alertRule, body } = request
  const { level, kind } = show(alertRule)
  if (level === 'organization') assertWholeOrganization(caller)
  assertSettings(kind, body)
  await assertChannels(services, level, project.id, body.channels)
  const given = Object.entries(body).filter(([, value]) => value !== undefined)
  const changes = { ...Object.fromEntries(given), last_updated_at: new Date(services.clock.now()) }
  await updateRow(services.store, 'alert_rules', { id: alertRule.id }, changes)
  return show({ ...alertRule, ...changes })
}

export const deleteAlertRule: Handler<'deleteAlertRule'> = async ({ services, caller, alertRule }) => {
  if (alertRule.project_id === null) assertWholeOrganization(caller)
  await deleteRows(services.store, 'alert_rules', { id: alertRule.id })
  return null
}

/** A rule of the organization applies to all its projects. */
function assertWholeOrganization({ scoped_projects: limit }: Caller): void {
  if (limit === null) return
  throw permissionDenied('A key limited to some projects cannot change a rule of the whole organization.')
}

function assertSettings(
  kind: AlertRule['kind'],
  { late_minutes }: { late_minutes?: number | null | undefined },
): void {
  if (kind !== 'late' && late_minutes != null)
    throw invalidInput("Only a rule of the kind 'late' has late_minutes.", ['late_minutes'])
}

async function assertChannels(
  { store }: Services,
  level: AlertRule['level'],
  projectId: number,
  channels: RuleSettings['channels'] | undefined,
): Promise<void> {
  if (channels == null) return
  if (level === 'organization')
    throw invalidInput('A rule of the organization uses all channels of each project: send null.', [
      'channels',
    ])
  const known = await channelsAmong(store, projectId, channels.filter(isUuid))
  const unknown = channels.findIndex((id) => !known.has(id))
  if (unknown !== -1) throw unknownId(channels[unknown] ?? '', ['channels', unknown])
}

function defaultOf(kind: AlertRule['kind']): AlertRule {
  return {
    id: null,
    kind,
    level: 'default',
    batch_export: null,
    ...defaultRule,
    by: null,
    created_at: null,
    last_updated_at: null,
  }
}

function show(row: NamedRuleRow): AlertRule {
  const { project_id, batch_export_id: id, export_name: name } = row
  return shownAs(AlertRule, {
    ...row,
    level: id !== null ? 'export' : project_id !== null ? 'project' : 'organization',
    batch_export: id === null ? null : { id, name: name ?? '' },
    remind_minutes: appliedRemindMinutes(row.remind_minutes),
    by: row.actor,
  })
}
