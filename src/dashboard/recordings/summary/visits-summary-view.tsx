import { Link } from '@tanstack/react-router'
import { secondsBefore } from '../../../contract/recordings/visit.ts'
import {
  sectionTitles,
  type SummarySection,
  type VisitsSummaryResult,
} from '../../../contract/recordings/visits-summary.ts'
import { PersonLink } from '../visit/person-link.tsx'
import { clockTime } from '../../format/clock.ts'

/** The text about several visits; each example opens its recording three seconds before the moment. */
export function VisitsSummaryView({ result }: { result: VisitsSummaryResult }) {
  const { overview, outcomes, sections, wording } = result
  return (
    <div className="flex max-w-300 flex-col gap-6">
      <div className="flex flex-col gap-3">
        <p className="max-w-160 text-lg">{overview}</p>
        <OutcomeBar outcomes={outcomes} />
        {wording && (
          <p className="max-w-160 whitespace-pre-line">
            {wording.text} <span className="text-xs text-ink-3">Written by {wording.model}.</span>
          </p>
        )}
      </div>
      <div className="-mb-6 gap-10 lg:columns-2">
        {sections.map((section) => (
          <Section key={section.name} section={section} />
        ))}
      </div>
    </div>
  )
}

const tones = [
  { kind: 'completed', color: 'bg-ok' },
  { kind: 'left', color: 'bg-line-strong' },
  { kind: 'error', color: 'bg-fail' },
] as const

/** Shows the share of each outcome; the overview says the same in words. */
function OutcomeBar({ outcomes }: { outcomes: VisitsSummaryResult['outcomes'] }) {
  return (
    <div aria-hidden className="flex h-2 max-w-160 gap-0.5 overflow-hidden rounded-sm">
      {tones.map(({ kind, color }) =>
        outcomes[kind] === 0 ? null : (
          <span key={kind} className={color} style={{ flexGrow: outcomes[kind] }} />
        ),
      )}
    </div>
  )
}

function Section({ section: { name, lines } }: { section: SummarySection }) {
  const title = sectionTitles[name]
  return (
    <section aria-label={title} className="mb-6 break-inside-avoid">
      <h2 className="mb-1 text-sm font-semibold">{title}</h2>
      <ul>
        {lines.map((line) => (
          <li
            key={line.text}
            className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line py-1.5"
          >
            <span className="min-w-0 flex-1 basis-60 wrap-anywhere">{line.text}</span>
            {line.example && <Example {...line.example} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

type ExampleProps = NonNullable<SummarySection['lines'][number]['example']>

function Example({ recording, name, distinct_id: distinctId, at }: ExampleProps) {
  return (
    <span className="flex items-baseline gap-3">
      <Link
        to="/recordings/$id"
        params={{ id: recording }}
        search={{ t: secondsBefore(at) }}
        className="text-run-ink underline-offset-3 hover:underline"
      >
        <span className="sr-only">Example: </span>
        {name} <span className="font-mono text-xs">{clockTime(at)}</span>
      </Link>
      {distinctId !== undefined && <PersonLink id={distinctId} name={name} />}
    </span>
  )
}
