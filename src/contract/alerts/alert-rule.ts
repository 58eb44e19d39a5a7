import { z } from 'zod'
import { channelsMax } from './alert-channel.ts'
import { Instant } from '../datetime.ts'

/**
 * What a rule watches. `failed`: the newest window failed; `paused`: an export was paused automatically; `late`: a window is not at the
 * destination in time; `short`: the destination has fewer rows than it should; `unusual`: the newest window has far more or fewer
 * rows than usual; `silent`: no events arrive; `no_worker`: no process runs exports; `error`: an error in recordings is new
 * or grows.
 */
export const alertKinds = [
  'failed',
  'paused',
  'late',
  'short',
  'unusual',
  'silent',
  'no_worker',
  'error',
] as const
export const AlertKind = z.enum(alertKinds)
export type AlertKind = z.infer<typeof AlertKind>

/** Kinds that watch exports, so that a rule can apply to one export. */
export const exportAlertKinds: readonly AlertKind[] = ['failed', 'paused', 'late', 'short', 'unusual']

/** Kinds of incidents that only keys with `session_recording:read` see: they say which events arrive and contain recorded texts. */
export const recordingAlertKinds: readonly AlertKind[] = ['silent', 'error']

/** A rule of a later level replaces that of an earlier one for its objects. */
export const ruleLevels = ['default', 'organization', 'project', 'export'] as const
export const RuleLevel = z.enum(ruleLevels)
export type RuleLevel = z.infer<typeof RuleLevel>

/** Settings of a rule. */
const settings = {
  enabled: z.boolean(),
  /** Ids of the channels; null: all channels of the project. */
  channels: z.array(z.string()).max(channelsMax).nullable(),
  /** Minutes between reminders of an open incident; 0: no reminders. A request may not send 1 to 14. */
  remind_minutes: z.int().min(0).max(43_200),
  /** Only `late`: minutes after a window's end; null: twice the p99 of the durations of 30 days, at least 15. */
  late_minutes: z.int().min(1).max(43_200).nullable(),
}

/** Fewest minutes between reminders. */
export const remindMinutesMin = 15
const remindMinutes = settings.remind_minutes
  .refine((minutes) => minutes === 0 || minutes >= remindMinutesMin, {
    error: `Ensure this value is 0, for no reminders, or at least ${remindMinutesMin}.`,
  })
  .describe(`Minutes between reminders of an open incident: 0, for none, or at least ${remindMinutesMin}.`)

/** Returns the minutes between reminders that apply to a stored rule, which may be older than the minimum. */
export function appliedRemindMinutes(stored: number): number {
  return stored === 0 ? 0 : Math.max(stored, remindMinutesMin)
}

export const AlertRule = z.object({
  /** Null for a default, which is not stored. */
  id: z.string().nullable(),
  kind: AlertKind,
  level: RuleLevel,
  batch_export: z.object({ id: z.string(), name: z.string() }).nullable(),
  ...settings,
  /** Label of the key that created the rule; null for a default, like the times. */
  by: z.string().nullable(),
  created_at: Instant.nullable(),
  last_updated_at: Instant.nullable(),
})
export type AlertRule = z.infer<typeof AlertRule>

export type RuleSettings = Pick<AlertRule, keyof typeof settings>
/** Settings that apply to every project without a rule of its own. */
export const defaultRule: RuleSettings = {
  enabled: true,
  channels: null,
  remind_minutes: 1440,
  late_minutes: null,
}

export const AlertRuleInput = z.strictObject({
  kind: AlertKind,
  level: RuleLevel.exclude(['default']).default('project'),
  /** Id of the export; only with the level `export`. */
  batch_export: z.string().optional(),
  enabled: settings.enabled.default(defaultRule.enabled),
  channels: settings.channels.default(defaultRule.channels),
  remind_minutes: remindMinutes.default(defaultRule.remind_minutes),
  late_minutes: settings.late_minutes.default(defaultRule.late_minutes),
})

export const AlertRuleUpdate = z
  .strictObject({ ...settings, remind_minutes: remindMinutes })
  .partial()
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: 'Nothing to update: send at least one of enabled, channels, remind_minutes and late_minutes.',
  })
