import type { ChannelType } from '../../contract/alerts/alert-channel.ts'
import type { AlertDelivery } from '../../contract/alerts/alert-delivery.ts'
import type { Incident } from '../../contract/alerts/alert-incident.ts'
import type { AlertKind, AlertRule } from '../../contract/alerts/alert-rule.ts'
import { counted } from './amount.ts'
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

const ruleWords: Record<AlertKind, string> = {
  failed: 'The newest finished window of an export has failed.',
  paused: 'An export was paused automatically.',
  late: 'A window is not delivered within twice the 30-day p99 run time (at least 15 min; one interval with fewer than 20 runs).',
  short: 'A window of the last 30 days has fewer rows at its destination than expected.',
  unusual: 'The newest window has far more or fewer rows than usual for this hour of the week.',
  silent: 'No events for an hour longer than the longest quiet spell of the last 8 days.',
  no_worker: 'No worker has run for two minutes.',
  error:
    'An error occurs in at least 3 sessions in a day and is new or, from 20 occurrences, 4 times as frequent as last week.',
}

/** Says when a rule opens an incident. */
export function ruleInWords({ kind, late_minutes: late }: Pick<AlertRule, 'kind' | 'late_minutes'>): string {
  return kind === 'late' && late !== null
    ? `A window is not delivered within ${minutesInWords(late)} of its end.`
    : ruleWords[kind]
}

/** Formats minutes in the largest whole unit: `1 day`, `8 hours`, `90 minutes`. */
export function minutesInWords(minutes: number): string {
  if (minutes % 1440 === 0) return counted(minutes / 1440, 'day')
  if (minutes % 60 === 0) return counted(minutes / 60, 'hour')
  return counted(minutes, 'minute')
}

/** Formats the time between reminders: `every day`, `every 8 hours`. */
export function everyMinutes(minutes: number): string {
  return `every ${minutesInWords(minutes).replace(/^1 /, '')}`
}

export function remindersInWords(minutes: number): string {
  return minutes === 0 ? 'no reminders' : `a reminder ${everyMinutes(minutes)}`
}

export const channelTypeNames: Record<ChannelType, string> = {
  webhook: 'Webhook',
  slack: 'Slack',
  teams: 'Teams',
  email: 'E-mail',
}

export const transitionNames: Record<AlertDelivery['transition'], string> = {
  opened: 'Opened',
  reminded: 'Reminder',
  recovered: 'Recovered',
  test: 'Test',
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
export function deliveryState(
  { status, attempts, next_attempt_at: next }: AlertDelivery,
  now: number,
): { tone: Tone; text: string } {
  const tries = counted(attempts.length, 'attempt')
  if (status === 'delivered') return { tone: 'ok', text: `Delivered, ${tries}` }
  if (status === 'failed') return { tone: 'failed', text: `Not delivered, ${tries}` }
  if (attempts.length === 0) return { tone: 'running', text: 'Being sent' }
  const when = next === null ? 'soon' : relativeTime(Math.max(now + 6_000, Date.parse(next)), now)
  return { tone: 'running', text: `${tries} failed, next ${when}` }
}
