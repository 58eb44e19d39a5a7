import { Link } from '@tanstack/react-router'
import type { MatchedMoment as Moment } from '../../../contract/session-recording.ts'
import type { InList } from '../visit/problem-links.tsx'
import { clockTime } from '../../words/clock.ts'

/** Seconds of playback before a moment. */
const leadSeconds = 3

/** Returns the second at which playback starts, shortly before a moment; undefined without one. */
export function startBefore(moment: Moment | undefined): number | undefined {
  return moment && Math.max(0, Math.floor(moment.at / 1000 - leadSeconds))
}

type MatchedMomentProps = {
  id: string
  moments: readonly Moment[]
  place: InList
}

/** Says why a recording matches the filter, as a link to that moment. */
export function MatchedMoment({ id, moments, place }: MatchedMomentProps) {
  const [first, ...others] = moments
  if (!first) return null
  const words = `${first.label} at ${clockTime(first.at)}`
  return (
    <Link
      to="/recordings/$id"
      params={{ id }}
      search={{ ...place, t: startBefore(first) }}
      preload={false}
      title={moments.map(({ at, label }) => `${label} at ${clockTime(at)}`).join('\n')}
      className="block truncate text-xs text-ink-2 underline decoration-line-strong underline-offset-3 hover:text-ink"
    >
      {words}
      {others.length > 0 && ` and ${others.length} more`}
    </Link>
  )
}
