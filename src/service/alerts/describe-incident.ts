import type { AlertKind } from '../../contract/alerts/alert-rule.ts'
import type { ListedIncident } from '../store/alerts/incidents.ts'

type Described = Pick<
  ListedIncident,
  'kind' | 'cause' | 'destination' | 'detail' | 'exports' | 'affected_count' | 'all_deleted'
>

/** What is wrong with the exports of an incident, for one and for several. */
const predicates: Partial<Record<AlertKind, readonly [string, string]>> = {
  failed: ['fails', 'fail'],
  paused: ['was paused automatically', 'were paused automatically'],
  late: ['is late', 'are late'],
  short: ['lacks rows at its destination', 'lack rows at their destination'],
  unusual: ['has an unusual number of rows', 'have an unusual number of rows'],
}
const firstLineMax = 120

/** Returns what is wrong, in a few words, for the title of a message. */
export function incidentTitle(incident: Described): string {
  const { kind, exports, destination, affected_count: count } = incident
  if (kind === 'silent') return 'No events arrive'
  if (kind === 'no_worker') return 'No worker is running'
  const [one, several] = predicates[kind] ?? []
  if (one === undefined || several === undefined) return cut(incident.detail)
  const what = count === 1 && exports[0] ? `${exports[0].name} ${one}` : `${count} exports ${several}`
  return destination === '' ? what : `${what}: ${destination}`
}

/** Returns what a message says when an incident has recovered, or was replaced by another of its exports. */
export function recoveredDetail({ kind, affected_count, all_deleted }: Described, isReplaced: boolean) {
  if (isReplaced)
    return 'The problem has another cause or destination now, and continues as another incident.'
  if (all_deleted) return affected_count === 1 ? 'The export was deleted.' : 'The exports were deleted.'
  return recoveries[kind]
}

const recoveries: Record<AlertKind, string> = {
  failed:
    'The newest windows are exported again. Windows that failed meanwhile stay missing until they are repaired.',
  paused: 'The exports run again. Windows that ended meanwhile were not exported on schedule.',
  late: 'No window is late any more.',
  short: 'No window lacks rows at its destination any more.',
  unusual: 'The newest windows have a usual number of rows.',
  silent: 'Events arrive again.',
  no_worker: 'A worker is running again.',
  error: 'The error has not occurred for 24 hours, or was resolved or ignored.',
}

/** Returns the path of the page with the fix. */
export function incidentPath(incident: Described): string {
  const { kind, exports, cause, affected_count, all_deleted } = incident
  if (all_deleted) return '/settings/history'
  if (kind === 'error') return `/recordings/errors?error=${cause.replace(/\D/g, '')}`
  if (kind === 'silent' || kind === 'no_worker') return '/'
  const [only] = exports
  if (affected_count === 1 && only)
    return `/exports/${only.id}${kind === 'short' || kind === 'unusual' ? '/ledger' : ''}`
  return kind === 'failed' || kind === 'short' ? '/repair' : '/exports'
}

function cut(text: string): string {
  return text.length > firstLineMax ? `${text.slice(0, firstLineMax).toWellFormed()}…` : text
}
