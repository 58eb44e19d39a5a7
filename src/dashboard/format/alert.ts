import type { ChannelType } from '../../contract/alerts/alert-channel.ts'
import type { AlertDelivery } from '../../contract/alerts/alert-delivery.ts'
import type { Incident } from '../../contract/alerts/alert-incident.ts'
import type { AlertKind, AlertRule } from '../../contract/alerts/alert-rule.ts'
import { count, counted } from './amount.ts'
import type { Tone } from './run-status.ts'
import { relativeTime } from './time.ts'

/** Names of the kinds of incidents and of their rules. */
export const kindNames: Record<AlertKind, string> = {
  failed: 'Failed',
  paused: 'Paused automatically',
  late: 'Late',
  short: 'Short',
  unusual: 'Unusual volume',
  silent: 'Capture silent',
  no_worker: 'No running worker',
  error: 'New or growing error',
}

/** Says when a rule opens an incident. */
export function ruleInWords({ kind, late_minutes: late }: Pick<AlertRule, 'kind' | 'late_minutes'>): string {
  switch (kind) {
    case 'failed':
      return 'The newest finished window of an export has failed.'
    case 'paused':
      return 'An export was paused automatically.'
    case 'late':
      return late === null
        ? 'A window is not delivered within twice the 30-day p99 run time (at least 15 min; one interval with fewer than 20 runs).'
        : `A window is not delivered within ${minutesInWords(late)} of its end.`
    case 'short':
      return 'A window of the last 30 days has fewer rows at its destination than expected.'
    case 'unusual':
      return 'The newest window has far more or fewer rows than usual for this hour of the week.'
    case 'silent':
      return 'No events for an hour longer than the longest quiet spell of the last 8 days.'
    case 'no_worker':
      return 'No worker has run for two minutes.'
    case 'error':
      return 'An error occurs in at least 3 sessions in a day and is new or, from 20 occurrences, 4 times as frequent as last week.'
  }
}

/** Formats minutes in the largest whole unit: `1 day`, `8 hours`, `90 minutes`. */
export function minutesInWords(minutes: number): string {
  if (minutes % 1440 === 0) return counted(minutes / 1440, 'day')
  if (minutes % 60 === 0) return counted(minutes / 60, 'hour')
  return counted(minutes, 'minute')
}

export function remindersInWords(minutes: number): string {
  return minutes === 0 ? 'no reminders' : `a reminder every ${minutesInWords(minutes).replace(/^1 /, '')}`
}

/** Says on what level a rule was set. */
export function ruleLevelInWords({ level, by }: Pick<AlertRule, 'level' | 'by'>): string {
  switch (level) {
    case 'default':
      return 'Default'
    case 'organization':
      return `Set for all projects by ${by ?? 'a key'}`
    case 'project':
      return `Set for this project by ${by ?? 'a key'}`
    case 'export':
      return `Set for this export by ${by ?? 'a key'}`
  }
}

export const channelTypeNames: Record<ChannelType, string> = {
  webhook: 'Webhook',
  slack: 'Slack',
  teams: 'Teams',
  email: 'E-mail',
}

const transitionNames: Record<AlertDelivery['transition'], string> = {
  opened: 'Opened',
  reminded: 'Reminder',
  recovered: 'Recovered',
  test: 'Test',
}

export function transitionName(transition: AlertDelivery['transition']): string {
  return transitionNames[transition]
}

/** The state of an incident at a time, for people: whether somebody has acknowledged it, or for how long it is muted. */
export function incidentState(
  { status, acknowledged, muted }: Pick<Incident, 'status' | 'acknowledged' | 'muted'>,
  now: number,
): { tone: Tone; text: string } {
  if (status === 'recovered') return { tone: 'ok', text: 'Recovered' }
  if (acknowledged) return { tone: 'paused', text: `Acknowledged by ${acknowledged.by}` }
  const end = muted && Date.parse(muted.until)
  if (end !== null && end > now) return { tone: 'paused', text: `Muted, ends ${relativeTime(end, now)}` }
  return { tone: 'failed', text: 'Open' }
}

/** Says how a message was or will be sent. */
export function deliveryState({ status, attempts, next_attempt_at: next }: AlertDelivery, now: number) {
  const tries = counted(attempts.length, 'attempt')
  if (status === 'delivered') return { tone: 'ok' as const, text: `Delivered, ${tries}` }
  if (status === 'failed') return { tone: 'failed' as const, text: `Not delivered, ${tries}` }
  if (attempts.length === 0) return { tone: 'running' as const, text: 'Being sent' }
  const when = next === null ? 'soon' : relativeTime(Math.max(now + 6_000, Date.parse(next)), now)
  return { tone: 'running' as const, text: `${tries} failed, next ${when}` }
}

/** Formats a number of exports that a list leaves out: `and 17 more`. */
export function moreExports(left: number): string {
  return `and ${count(left)} more`
}
