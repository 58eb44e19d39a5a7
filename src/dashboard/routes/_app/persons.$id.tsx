import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { personQuery } from '../../queries/recordings/persons.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { UnloadedPage } from '../../ui/list/list-notes.tsx'
import { date, oneOf, searchParams, text } from '../../format/search-params.ts'
import type { Person } from '../../../contract/recordings/person.ts'
import { isNamed, visitorName } from '../../../contract/recordings/visitor-name.ts'
import { TabLink } from '../../ui/tab-link.tsx'
import { count, counted } from '../../format/amount.ts'
import { SummarizeAll } from '../../recordings/summary/summarize-all.tsx'
import { VisitorMark } from '../../recordings/facts/visitor-mark.tsx'
import { PersonEvents } from '../../recordings/person/person-events.tsx'
import { PersonExports } from '../../recordings/person/person-exports.tsx'
import { PersonProperties, propertiesOf } from '../../recordings/person/person-properties.tsx'
import { PersonRecordings, recordingsFilter } from '../../recordings/person/person-recordings.tsx'
import { RecordingDays } from '../../recordings/person/recording-days.tsx'
import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { copyText } from '../../ui/feedback/toasts.ts'
import { Icon } from '../../ui/icon.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { duration } from '../../format/time.ts'

export const Route = createFileRoute('/_app/persons/$id')({
  validateSearch: searchParams({
    /** The part below the days; the recordings if omitted. */
    part: oneOf(['events', 'properties', 'exports']),
    /** Only the recordings of this day, like 2026-01-31. */
    day: date,
    /** Only events of this name. */
    event: text,
  }),
  component: OnePerson,
})

function OnePerson() {
  const { id } = Route.useParams()
  const { projectId } = Route.useRouteContext()
  const { part, day, event } = Route.useSearch()
  const { data, error, refetch } = useQuery(personQuery(projectId, id))
  if (data) return <PersonPage key={id} id={id} person={data} view={{ part, day, event }} />
  return (
    <UnloadedPage
      title="Person"
      error={error}
      onRetry={() => void refetch()}
      missing={
        <EmptyState title="Person not found">
          <p>No person, event or recording has this id.</p>
          <Link to="/recordings" className="underline underline-offset-3">
            Recordings
          </Link>
        </EmptyState>
      }
    />
  )
}

/** The page's search parameters. */
type PersonView = {
  part: 'events' | 'properties' | 'exports' | undefined
  day: string | undefined
  event: string | undefined
}

type PersonPageProps = {
  /** The UUID or distinct id in the page's address. */
  id: string
  person: Person
  view: PersonView
}

/** Everything known about a person: recordings over time, events, properties, and the exports with its rows. */
function PersonPage({ id, person, view }: PersonPageProps) {
  const navigate = useNavigate()
  const distinctId = headlineId(id, person)
  const name = visitorName(person.name, distinctId)
  const change = (part: Partial<PersonView>) =>
    void navigate({
      to: '/persons/$id',
      params: { id },
      search: { ...view, ...part },
      replace: true,
      resetScroll: false,
    })
  const tabs = [
    [undefined, 'Recordings', person.recording_count],
    ['events', 'Events', person.event_count],
    ['properties', 'Properties', propertiesOf(person).length],
    ['exports', 'Exports', null],
  ] as const
  return (
    <>
      <header className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <title>{`${name} · Spool`}</title>
        <span className="text-ink-3">
          <Link to="/recordings" className="hover:text-ink">
            Recordings
          </Link>
          &ensp;/
        </span>
        <h1 className="flex min-w-0 items-center gap-2 text-xl tracking-tight wrap-anywhere">
          <VisitorMark distinctId={distinctId} />
          {name}
        </h1>
        {person.uuid === null && <span className="text-ink-3">never identified</span>}
        <div className="ml-auto flex flex-wrap items-center gap-2 print:hidden">
          {person.recording_count > 1 && <SummarizeAll filter={recordingsFilter(person)} />}
        </div>
      </header>
      <PersonFacts person={person} />
      {person.recording_count > 0 && (
        <RecordingDays id={id} day={view.day} onDay={(day) => change({ day, part: undefined })} />
      )}
      <nav aria-label="Views" className="mt-4 mb-3.5 flex flex-wrap gap-x-4.5 border-b border-line">
        {tabs.map(([part, label, amount]) => (
          <TabLink
            key={label}
            to="."
            search={(search) => ({ ...search, part })}
            activeOptions={{ explicitUndefined: true }}
            // The router does not recognise an address with a decoded id, such as an e-mail address.
            aria-current={view.part === part ? 'page' : undefined}
            replace
            resetScroll={false}
          >
            {label}
            {amount !== null && <span className="ml-1 text-ink-3">{count(amount)}</span>}
          </TabLink>
        ))}
      </nav>
      <Tab id={id} person={person} view={view} onChange={change} />
    </>
  )
}

type TabProps = PersonPageProps & { onChange: (part: Partial<PersonView>) => void }

function Tab({ id, person, view: { part, day, event }, onChange }: TabProps) {
  switch (part) {
    case undefined:
      return <PersonRecordings person={person} day={day} onDay={(next) => onChange({ day: next })} />
    case 'events':
      return (
        <PersonEvents id={id} person={person} name={event} onName={(name) => onChange({ event: name })} />
      )
    case 'properties':
      return <PersonProperties person={person} />
    case 'exports':
      return <PersonExports id={id} />
  }
}

/** Returns the distinct id that names and tints the page: the one in the address, so that the page has the name of the link. */
function headlineId(id: string, { distinct_ids: ids }: Person): string {
  const own = ids.includes(id) ? id : ids.find((each) => isNamed(null, each))
  return own ?? ids[0] ?? id
}

/** Distinct ids shown until “more” is pressed. */
const shownIdsMax = 3

/** When a person was seen, the numbers of their recordings and events, and their distinct ids. */
function PersonFacts({ person }: { person: Person }) {
  const errors = person.console_error_count
  return (
    <>
      <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-2">
        <Fact name="First seen">
          {person.first_seen ? <RelativeTime time={person.first_seen} /> : 'never'}
        </Fact>
        <Fact name="Last seen">{person.last_seen ? <RelativeTime time={person.last_seen} /> : 'never'}</Fact>
        <Fact name="Recordings">{count(person.recording_count)}</Fact>
        <Fact name="Active">
          {person.active_seconds > 0 ? duration(person.active_seconds * 1000) : '0 s'}
        </Fact>
        <Fact name="Errors">
          <span className={errors > 0 ? 'text-fail-ink' : ''}>{count(errors)}</span>
        </Fact>
        <Fact name="Events">{count(person.event_count)}</Fact>
      </dl>
      <DistinctIds person={person} />
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-3">{name}</dt>
      <dd className="text-lg">{children}</dd>
    </div>
  )
}

function DistinctIds({ person: { distinct_ids: ids, distinct_id_count: total } }: { person: Person }) {
  const [all, setAll] = useState(false)
  const shown = all ? ids : ids.slice(0, shownIdsMax)
  const hidden = ids.length - shown.length
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1">
      <span id="distinct-ids" className="text-xs text-ink-3">
        {total === 1 ? 'Distinct id' : `${count(total)} distinct ids`}
      </span>
      <ul aria-labelledby="distinct-ids" className="contents">
        {shown.map((id) => (
          <li key={id} className="flex min-w-0 items-center">
            <code className="min-w-0 truncate text-ink-2" title={id}>
              {id}
            </code>
            <Button
              look="quiet"
              size="icon"
              aria-label={`Copy ${id}`}
              onClick={() => void copyText(id, 'Copied.')}
            >
              <Icon name="copy" size={14} />
            </Button>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button look="quiet" onClick={() => setAll(true)}>
          {count(hidden)} more
        </Button>
      )}
      {all && ids.length < total && (
        <span className="text-ink-3">
          Only the first {count(ids.length)} are shown; recordings and events are those of{' '}
          {counted(ids.length, 'id')}.
        </span>
      )}
    </div>
  )
}
