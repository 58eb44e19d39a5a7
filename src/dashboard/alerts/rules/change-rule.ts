import type { QueryClient } from '@tanstack/react-query'
import type { AlertRule, RuleSettings } from '../../../contract/alerts/alert-rule.ts'
import { changeAlerts } from '../../queries/alerts.ts'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { kindNames } from '../../format/alert.ts'

type Sending = { client: QueryClient; projectId: string }
/** What a rule applies to. */
export type RuleTarget = Pick<AlertRule, 'kind'> & {
  level: Exclude<AlertRule['level'], 'default'>
  batch_export?: string
}

/** Returns the name of a rule for messages: “Late” or “Late” of Orders. */
export function namedRule({ kind, batch_export: of }: Pick<AlertRule, 'kind' | 'batch_export'>): string {
  return of ? `“${kindNames[kind]}” of ${of.name}` : `“${kindNames[kind]}”`
}

/** Creates a rule, which replaces the one of a lower level. */
export async function createRule(sending: Sending, target: RuleTarget, settings: RuleSettings) {
  const { client } = sending
  return await changeAlerts(client, 'rules', 'createAlertRule', {
    params: project(sending),
    body: { ...target, ...settings },
  })
}

export async function updateRule(sending: Sending, id: string, settings: Partial<RuleSettings>) {
  return await changeAlerts(sending.client, 'rules', 'updateAlertRule', {
    params: { ...project(sending), id },
    body: settings,
  })
}

/** Turns a rule on or off for the project; a rule of all projects is replaced, so that the others keep it. */
export async function switchRule(sending: Sending, rule: AlertRule, enabled: boolean): Promise<void> {
  const named = namedRule(rule)
  try {
    const { id, kind, level } = rule
    if (id !== null && level !== 'organization') {
      await updateRule(sending, id, { enabled })
      toast(`${named} is ${enabled ? 'on' : 'off'}.`, {
        undo: () => void switchRule(sending, rule, !enabled),
      })
      return
    }
    const created = await createRule(sending, { kind, level: 'project' }, { ...settingsOf(rule), enabled })
    toast(`${named} is ${enabled ? 'on' : 'off'}.`, {
      undo: () => void removeRule(sending, created).catch(toastFailure('The change could not be undone.')),
    })
  } catch (error) {
    toastFailure(`${named} could not be changed.`, () => void switchRule(sending, rule, enabled))(error)
  }
}

/** Deletes a rule, so that the one it replaced applies again; the toast offers Undo. */
export async function resetRule(sending: Sending, rule: AlertRule): Promise<void> {
  const named = namedRule(rule)
  try {
    await removeRule(sending, rule)
    toast(`${named} is back to its default.`, { undo: () => void restoreRule(sending, rule) })
  } catch (error) {
    toastFailure(`${named} could not be reset.`, () => void resetRule(sending, rule))(error)
  }
}

async function removeRule(sending: Sending, { id }: AlertRule): Promise<void> {
  if (id === null) return
  await changeAlerts(sending.client, 'rules', 'deleteAlertRule', { params: { ...project(sending), id } })
}

async function restoreRule(sending: Sending, rule: AlertRule): Promise<void> {
  const { kind, level, batch_export: of } = rule
  if (level === 'default') return
  try {
    const target = { kind, level, ...(of && { batch_export: of.id }) }
    await createRule(sending, target, settingsOf(rule))
  } catch (error) {
    toastFailure('The rule could not be restored.', () => void restoreRule(sending, rule))(error)
  }
}

export function settingsOf({ enabled, channels, remind_minutes, late_minutes }: AlertRule): RuleSettings {
  return { enabled, channels, remind_minutes, late_minutes }
}

function project({ projectId }: Sending) {
  return { project_id: projectId }
}
