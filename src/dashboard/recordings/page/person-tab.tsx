import { Link } from '@tanstack/react-router'
import type { WatchedRecording } from '../../../contract/recordings/session-recording.ts'
import { counted } from '../../format/amount.ts'
import { RelativeTime } from '../../ui/time.tsx'
import { personIdOf, recordingName } from '../../format/recording-name.ts'

/** The visitor's identity and properties, and who watched the recording. */
export function PersonTab({ recording }: { recording: WatchedRecording }) {
  const { person, distinct_id: distinctId, watchers } = recording
  const all = Object.entries(person.properties)
  const properties = all.filter(([, value]) => value !== null && value !== '').toSorted(byName)
  const empty = all.length - properties.length
  return (
    <section
      aria-label="Properties of the person"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- lets keyboard users scroll it
      tabIndex={0}
      className="flex flex-col gap-3 overflow-y-auto p-3.5"
    >
      <p>
        <Link
          to="/persons/$id"
          params={{ id: personIdOf(recording) }}
          preload={false}
          className="text-run-ink underline underline-offset-3"
        >
          All recordings and events of {recordingName(recording)}
        </Link>
      </p>
      <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-3 gap-y-1.5">
        <Fact name="Distinct id" value={distinctId} />
        {properties.map(([name, value]) => (
          <Fact key={name} name={name} value={typeof value === 'string' ? value : JSON.stringify(value)} />
        ))}
      </dl>
      {empty > 0 && <p className="text-ink-3">{counted(empty, 'property is', 'properties are')} empty.</p>}
      <p className="text-ink-3">
        {person.created_at === null ? 'This visitor was never identified.' : 'Known since '}
        {person.created_at !== null && <RelativeTime time={person.created_at} />}
      </p>
      {watchers.length > 0 && (
        <p className="text-ink-3">
          Watched by{' '}
          {watchers.map(({ name, at }, index) => (
            <span key={`${name} ${at}`}>
              {index > 0 && ', '}
              {name} <RelativeTime time={at} />
            </span>
          ))}
        </p>
      )}
    </section>
  )
}

/** Sorts the site's own properties before those that posthog-js adds (`$…`). */
function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return Number(a.startsWith('$')) - Number(b.startsWith('$')) || a.localeCompare(b)
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-ink-3 wrap-anywhere">{name}</dt>
      <dd className="wrap-anywhere">{value}</dd>
    </>
  )
}
