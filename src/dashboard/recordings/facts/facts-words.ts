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

/** Pages that a path names, at most; the others are counted. */
const namedMax = 12

/** Returns a path with all its pages, or with the last and as many of the first as `fits` allows: `Home → 2 more → Cart`. */
export function shortened(labels: readonly string[], fits: (path: string) => boolean): string {
  let path = labels.join(' → ')
  for (let named = Math.min(namedMax, labels.length - 2); named >= 0 && !fits(path); named -= 1) {
    const left = `${labels.length - 1 - named} more`
    path = [...labels.slice(0, named), left, ...labels.slice(-1)].join(' → ')
  }
  return path
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
