import type { AlertRule, RuleSettings } from '../../../contract/alerts/alert-rule.ts'
import { changeAlerts, type Sending } from '../../queries/alerts.ts'
import { sendAction } from '../../ui/feedback/send-action.ts'
import { toastFailure } from '../../ui/feedback/toasts.ts'
import { kindNames } from '../../format/alert.ts'

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
  return await changeAlerts(sending, 'createAlertRule', { body: { ...target, ...settings } })
}

/** Turns a rule on or off for the project; a rule of all projects is replaced, so that the others keep it. */
export async function switchRule(sending: Sending, rule: AlertRule, enabled: boolean): Promise<void> {
  const { id, kind, level } = rule
  const named = namedRule(rule)
  const words = {
    done: `${named} is ${enabled ? 'on' : 'off'}.`,
    failed: `${named} could not be changed.`,
  }
  if (id !== null && level !== 'organization')
    return await sendAction({
      ...words,
      send: () => changeAlerts(sending, 'updateAlertRule', { id, body: { enabled } }),
      undo: () => void switchRule(sending, rule, !enabled),
    })
  await sendAction({
    ...words,
    send: () => createRule(sending, { kind, level: 'project' }, { ...settingsOf(rule), enabled }),
    undo: (created) =>
      void removeRule(sending, created).catch(toastFailure('The change could not be undone.')),
  })
}

/** Deletes a rule, so that the one it replaced applies again; the toast offers Undo. */
export async function resetRule(sending: Sending, rule: AlertRule): Promise<void> {
  const named = namedRule(rule)
  await sendAction({
    send: () => removeRule(sending, rule),
    done: `${named} is back to its default.`,
    failed: `${named} could not be reset.`,
    undo: () => void restoreRule(sending, rule),
  })
}

async function removeRule(sending: Sending, { id }: AlertRule): Promise<void> {
  if (id !== null) await changeAlerts(sending, 'deleteAlertRule', { id })
}

async function restoreRule(sending: Sending, rule: AlertRule): Promise<void> {
  const { kind, level, batch_export: of } = rule
  if (level === 'default') return
  const target = { kind, level, ...(of && { batch_export: of.id }) }
  await sendAction({
    send: () => createRule(sending, target, settingsOf(rule)),
    failed: 'The rule could not be restored.',
  })
}

export function settingsOf({ enabled, channels, remind_minutes, late_minutes }: AlertRule): RuleSettings {
  return { enabled, channels, remind_minutes, late_minutes }
}
