import { Link, useNavigate } from '@tanstack/react-router'
import type { Person } from '../../../contract/recordings/person.ts'
import { isNamed, visitName } from '../../../contract/recordings/visit-name.ts'
import { TabLink } from '../../ui/tab-link.tsx'
import { count } from '../../format/amount.ts'
import { SummarizeAll } from '../summary/summarize-all.tsx'
import { VisitMark } from '../visit/visit-mark.tsx'
import { PersonEvents } from './person-events.tsx'
import { PersonExports } from './person-exports.tsx'
import { PersonFacts } from './person-facts.tsx'
import { PersonProperties, propertiesOf } from './person-properties.tsx'
import { PersonVisits, visitsFilter } from './person-visits.tsx'
import { VisitDays } from './visit-days.tsx'

/** The page's search parameters. */
export type PersonView = {
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

/** Everything known about a person: visits over time, events, properties, and the exports with its rows. */
export function PersonPage({ id, person, view }: PersonPageProps) {
  const navigate = useNavigate()
  const distinctId = headlineId(id, person)
  const name = visitName(person.name, distinctId)
  const change = (part: Partial<PersonView>) =>
    void navigate({
      to: '/persons/$id',
      params: { id },
      search: { ...view, ...part },
      replace: true,
      resetScroll: false,
    })
  const tabs = [
    [undefined, 'Recordings', person.visit_count],
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
          <VisitMark distinctId={distinctId} />
          {name}
        </h1>
        {person.uuid === null && <span className="text-ink-3">never identified</span>}
        <div className="ml-auto flex flex-wrap items-center gap-2 print:hidden">
          {person.visit_count > 1 && <SummarizeAll filter={visitsFilter(person)} />}
        </div>
      </header>
      <PersonFacts person={person} />
      {person.visit_count > 0 && (
        <VisitDays id={id} day={view.day} onDay={(day) => change({ day, part: undefined })} />
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
      return <PersonVisits person={person} day={day} onDay={(next) => onChange({ day: next })} />
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
