import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { endpointQuery } from '../../queries/endpoint-query.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { ParentLink, TextLink } from '../../ui/text-link.tsx'
import { LoadedPage, NoMatches } from '../../ui/list/list-notes.tsx'
import { date, oneOf, searchParams, text } from '../../format/search-params.ts'
import type { Person } from '../../../contract/recordings/person.ts'
import { isNamed, visitorName } from '../../../contract/recordings/visitor-name.ts'
import { TabLink } from '../../ui/tab-link.tsx'
import { count, counted } from '../../format/amount.ts'
import { SummarizeAll } from '../../recordings/summary/summarize-all.tsx'
import { VisitorMark } from '../../recordings/facts/visitor-mark.tsx'
import { EraseButton } from '../../privacy/erase-button.tsx'
import { PersonEvents } from '../../recordings/person/person-events.tsx'
import { PersonExports } from '../../recordings/person/person-exports.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { PersonProperties, propertiesOf } from '../../recordings/person/person-properties.tsx'
import { RecordingDays, boundsOfDay } from '../../recordings/person/recording-days.tsx'
import { useState, useMemo } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { duration } from '../../format/time.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { usePreferences } from '../../format/preferences.ts'
import { RecordingList, useOrderedRecordings } from '../../recordings/list/recording-list.tsx'
import { OfOnePerson } from '../../recordings/list/recording-cells.tsx'

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
  const params = { project_id: projectId, person_id: id }
  return (
    <LoadedPage
      query={useQuery(endpointQuery('getPerson', { params }))}
      title="Person"
      missing="No person, event or recording has this id."
      parent={<TextLink to="/recordings">Recordings</TextLink>}
    >
      {(person) => <PersonPage key={id} id={id} person={person} />}
    </LoadedPage>
  )
}

/**
 * Everything known about a person: recordings over time, events, properties, and the exports that contain the person's rows.
 * `id`: the UUID or distinct id in the page's address.
 */
function PersonPage({ id, person }: { id: string; person: Person }) {
  const { part, day, event } = Route.useSearch()
  const navigate = Route.useNavigate()
  const distinctId = headlineId(id, person)
  const name = visitorName(person.name, distinctId)
  const change = (changed: { part?: undefined; day?: string | undefined; event?: string | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...changed }), replace: true, resetScroll: false })
  const tabs = [
    [undefined, 'Recordings', person.recording_count],
    ['events', 'Events', person.event_count],
    ['properties', 'Properties', propertiesOf(person).length],
    ['exports', 'Exports', null],
  ] as const
  return (
    <>
      <PageHeader
        title={name}
        mark={<VisitorMark distinctId={distinctId} />}
        parent={<ParentLink to="/recordings">Recordings</ParentLink>}
        aside={person.uuid === null && <span className="text-ink-3">never identified</span>}
      >
        {person.recording_count > 1 && <SummarizeAll filter={recordingsFilter(person)} />}
        <EraseButton id={id} person={person} />
      </PageHeader>
      <PersonFacts person={person} />
      {person.recording_count > 0 && (
        <RecordingDays id={id} day={day} onDay={(next) => change({ day: next, part: undefined })} />
      )}
      <nav aria-label="Views" className="mt-4 mb-3.5 flex flex-wrap gap-x-4.5 border-b border-line">
        {tabs.map(([tab, label, amount]) => (
          <TabLink
            key={label}
            to="."
            search={(search) => ({ ...search, part: tab })}
            activeOptions={{ explicitUndefined: true }}
            // The router does not recognise an address with a decoded id, such as an e-mail address.
            aria-current={part === tab ? 'page' : undefined}
            replace
            resetScroll={false}
          >
            {label}
            {amount !== null && <span className="ml-1 text-ink-3">{count(amount)}</span>}
          </TabLink>
        ))}
      </nav>
      {part === undefined && (
        <PersonRecordings person={person} day={day} onAllDays={() => change({ day: undefined })} />
      )}
      {part === 'events' && (
        <PersonEvents id={id} person={person} name={event} onName={(next) => change({ event: next })} />
      )}
      {part === 'properties' && <PersonProperties person={person} />}
      {part === 'exports' && <PersonExports id={id} />}
    </>
  )
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
  const { first_seen: first, last_seen: last, active_seconds: active, console_error_count: errors } = person
  const facts = {
    'First seen': first ? <RelativeTime time={first} /> : 'never',
    'Last seen': last ? <RelativeTime time={last} /> : 'never',
    Recordings: count(person.recording_count),
    Active: active > 0 ? duration(active * 1000) : '0 s',
    Errors: <span className={errors > 0 ? 'text-fail-ink' : ''}>{count(errors)}</span>,
    Events: count(person.event_count),
  }
  return (
    <>
      <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-2">
        {Object.entries(facts).map(([name, fact]) => (
          <div key={name}>
            <dt className="text-xs text-ink-3">{name}</dt>
            <dd className="text-lg">{fact}</dd>
          </div>
        ))}
      </dl>
      <DistinctIds person={person} />
    </>
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
            <CopyButton name={id} text={id} />
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

/** The filter of the recordings list that a person's recordings match: one distinct id stands for all. */
function recordingsFilter({ distinct_ids: [id] }: Person) {
  return { distinct_ids: JSON.stringify([id]) }
}

type PersonRecordingsProps = {
  person: Person
  /** Only the recordings of this day. */
  day: string | undefined
  onAllDays: () => void
}

/** A person's recordings as the list of recordings shows them. */
function PersonRecordings({ person, day, onAllDays }: PersonRecordingsProps) {
  const { zone } = usePreferences()
  const filter = useMemo(
    () => ({ ...recordingsFilter(person), ...(day !== undefined && boundsOfDay(day, zone)) }),
    [person, day, zone],
  )
  const ordered = useOrderedRecordings(filter)
  const noMatches = (
    <NoMatches title="No recordings on this day" clear="Show all recordings" onClear={onAllDays} />
  )
  return (
    <OfOnePerson value>
      <RecordingList
        {...ordered}
        empty={
          <EmptyState title="No recordings">
            This person was never recorded, or the recordings were deleted or have expired. The events remain.
          </EmptyState>
        }
        filteredEmpty={day === undefined ? null : noMatches}
      />
    </OfOnePerson>
  )
}
