import { Link } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import type { ErrorMoment } from '../../../contract/recordings/error-cluster.ts'
import { secondsBefore } from '../../../contract/recordings/visit.ts'
import { clockTime } from '../../format/clock.ts'
import { personIdOf, recordingName } from '../../format/recording-name.ts'
import { PersonLink } from '../visit/person-link.tsx'
import { ThumbnailReplay } from '../thumbnail/thumbnail-replay.tsx'

const replaysMax = 9
/** Seconds before and after the error. */
const range = 5

/** Shows the page at the moment of an error in several recordings; one slider moves them all. */
export function ContactSheet({ moments }: { moments: readonly ErrorMoment[] }) {
  const [offset, setOffset] = useState(0)
  const shown = useDeferredValue(offset)
  return (
    <section aria-label="Replays around the error">
      <label className="mb-2 flex items-center gap-3">
        <span className="text-ink-2 max-sm:sr-only">Moment</span>
        <input
          type="range"
          min={-range}
          max={range}
          step={0.5}
          value={offset}
          aria-valuetext={inWords(offset)}
          onChange={({ target }) => setOffset(target.valueAsNumber)}
          className="min-w-0 flex-1"
        />
        <output className="w-28 text-right text-ink-2 tabular-nums">{inWords(offset)}</output>
      </label>
      <ul className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        {moments.slice(0, replaysMax).map((moment) => (
          <Replay key={moment.recording.id} moment={moment} offset={shown} />
        ))}
      </ul>
    </section>
  )
}

function Replay({ moment: { recording, at }, offset }: { moment: ErrorMoment; offset: number }) {
  const end = recording.recording_duration * 1000
  const name = recordingName(recording)
  return (
    // Narrow windows show four: a hidden replay has no frame.
    <li className="max-sm:nth-[n+5]:hidden">
      <Link
        to="/recordings/$id"
        params={{ id: recording.id }}
        search={{ t: secondsBefore(at) }}
        aria-label={`Watch ${name} before the error, from ${clockTime(secondsBefore(at) * 1000)}`}
        className="block"
      >
        <span className="block aspect-[8/5] overflow-hidden rounded-md border border-line">
          <ThumbnailReplay recording={recording} at={Math.min(Math.max(0, at + offset * 1000), end)} />
        </span>
      </Link>
      <span className="mt-0.5 flex items-baseline gap-1.5 text-xs text-ink-2">
        <span className="truncate">{name}</span> <span className="text-ink-3">{clockTime(at)}</span>
        <span className="ml-auto">
          <PersonLink id={personIdOf(recording)} name={name} />
        </span>
      </span>
    </li>
  )
}

function inWords(offset: number): string {
  if (offset === 0) return 'at the error'
  return `${Math.abs(offset)} s ${offset < 0 ? 'before' : 'after'}`
}
