import type { Incident, Transition } from '../../contract/alerts/alert-incident.ts'
import { transitionNames } from '../format/alert.ts'
import { counted } from '../format/amount.ts'

/** A transition that the page did not know. */
export type News = { incident: Incident; transition: Transition; at: string }

/** Returns the transitions after a time, oldest first; all if the time is null. */
export function newsIn(incidents: readonly Incident[], since: string | null): News[] {
  const from = since === null ? -Infinity : Date.parse(since)
  return incidents
    .flatMap((incident) => incident.transitions.map((one) => ({ incident, ...one })))
    .filter(({ at }) => Date.parse(at) > from)
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

/** Says which incidents opened or recovered; null if none did. */
export function newsInWords(news: readonly News[]): string | null {
  const parts = (['opened', 'recovered'] as const).flatMap((transition) => {
    const all = news.filter((one) => one.transition === transition)
    const [only] = all
    if (!only) return []
    const verb = transition === 'opened' ? 'Incident' : 'Recovered'
    return all.length === 1
      ? `${verb}: ${only.incident.title}.`
      : `${counted(all.length, 'incident')} ${transition}.`
  })
  return parts.length === 0 ? null : parts.join(' ')
}

/** Returns the texts of a notification. What was wrong does not follow the news that it has ended. */
export function notificationOf({ incident, transition }: News): { title: string; body: string } {
  return {
    title: `${transitionNames[transition]}: ${incident.title}`,
    body: transition === 'recovered' ? '' : incident.detail,
  }
}
