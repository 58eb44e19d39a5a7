import type { MatchedMoment as Moment } from '../../../contract/recordings/session-recording.ts'
import { LinkToRecording, type InList } from '../facts/link-to-recording.tsx'
import { clockTime } from '../../format/clock.ts'

/** Seconds of playback before a moment. */
const leadSeconds = 3

/** Returns the second at which playback starts, shortly before the first moment; undefined without one. */
export function startBefore([first]: readonly Moment[] = []): number | undefined {
  return first?.at == null ? undefined : Math.max(0, Math.floor(first.at / 1000 - leadSeconds))
}

function inWords({ at, label }: Moment): string {
  return at === null ? label : `${label} at ${clockTime(at)}`
}

type MatchedMomentProps = { id: string; moments: readonly Moment[]; place: InList }

/** Says why a recording matches the filter, as a link to that moment if it is one. */
export function MatchedMoment({ id, moments, place }: MatchedMomentProps) {
  const [first, ...others] = moments
  if (!first) return null
  const words = `${inWords(first)}${others.length > 0 ? ` and ${others.length} more` : ''}`
  const title = moments.map(inWords).join('\n')
  if (first.at === null)
    return (
      <span title={title} className="block truncate text-xs text-ink-2">
        {words}
      </span>
    )
  return (
    <LinkToRecording
      id={id}
      place={place}
      t={startBefore(moments)}
      title={title}
      className="block truncate text-xs text-ink-2 underline decoration-line-strong underline-offset-3 hover:text-ink"
    >
      {words}
    </LinkToRecording>
  )
}
