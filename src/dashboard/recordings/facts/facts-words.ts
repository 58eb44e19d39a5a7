import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import type { Visit } from '../../../contract/recordings/visit.ts'
import { counted } from '../../format/amount.ts'

type Described = Pick<SessionRecording, 'visit' | 'start_url'> & Partial<Pick<SessionRecording, 'ongoing'>>

/** How a visit ended; null until it is described, and while it may go on. */
export function outcomeOf({ visit, ongoing }: Described): Visit['outcome'] | null {
  return visit === null || (ongoing && visit.outcome.kind === 'left') ? null : visit.outcome
}

/** The pages of a visit in order, without the one that its outcome names. Until the visit is described, its first page. */
export function pageLabels(recording: Described): string[] {
  const { visit, start_url: url } = recording
  if (!visit) return [URL.parse(url)?.pathname ?? url]
  const labels = visit.pages.map(({ label }) => label)
  const different = labels.filter((label, index) => label !== labels[index - 1])
  const outcome = outcomeOf(recording)
  return outcome?.kind === 'left' && different.length > 1 && different.at(-1) === outcome.label
    ? different.slice(0, -1)
    : different
}

/** Longest path (pages) that is named in full; of a longer one, the first two pages and the last. */
const namedMax = 4

export function shortened(labels: readonly string[]): string[] {
  const folded = labels.length - 3
  if (labels.length <= namedMax) return [...labels]
  return [...labels.slice(0, 2), `${folded} more`, ...labels.slice(-1)]
}

export function outcomeInWords({ kind, label }: Visit['outcome']): string {
  return kind === 'left' ? `left at ${label}` : label
}

/** `Home → Lamp → Cart → left at Coupon`. */
export function pathInWords(recording: Described): string {
  const outcome = outcomeOf(recording)
  return [...pageLabels(recording), ...(outcome ? [outcomeInWords(outcome)] : [])].join(' → ')
}

/** What went wrong according to the counts: `2 errors, 1 failed request`; "" if nothing did. */
export function problemCounts(row: SessionRecording): string {
  const { console_error_count: errors, failed_request_count: requests } = row
  return [errors > 0 && counted(errors, 'error'), requests && counted(requests, 'failed request')]
    .filter(Boolean)
    .join(', ')
}
