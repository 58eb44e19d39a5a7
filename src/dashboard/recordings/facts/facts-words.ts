import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import type { RecordingFacts } from '../../../contract/recordings/recording-facts.ts'
import { counted } from '../../format/amount.ts'

type Described = Pick<SessionRecording, 'facts' | 'start_url'> & Partial<Pick<SessionRecording, 'ongoing'>>

/** How a recording ended; null until its facts are known, and while it may go on. */
export function outcomeOf({ facts, ongoing }: Described): RecordingFacts['outcome'] | null {
  return facts === null || (ongoing && facts.outcome.kind === 'left') ? null : facts.outcome
}

/** The pages of a recording in order, without the one that its outcome names. Until the recording is described, its first page. */
export function pageLabels(recording: Described): string[] {
  const { facts, start_url: url } = recording
  if (!facts) return [URL.parse(url)?.pathname ?? url]
  const labels = facts.pages.map(({ label }) => label)
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

export function outcomeInWords({ kind, label }: RecordingFacts['outcome']): string {
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
