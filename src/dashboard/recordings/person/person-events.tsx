import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Person, PersonEvent } from '../../../contract/recordings/person.ts'
import { secondsBefore } from '../../../contract/recordings/recording-facts.ts'
import { useAccount } from '../../account.ts'
import { personEventsQuery } from '../../queries/recordings/persons.ts'
import { Button } from '../../ui/controls/button.tsx'
import { copyText } from '../../ui/feedback/toasts.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { ListNotes, NoMatches, TableSkeleton } from '../../ui/list/list-notes.tsx'
import { Icon } from '../../ui/icon.tsx'
import { SelectChip } from '../../ui/controls/select-chip.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { count, counted } from '../../format/amount.ts'
import { clockTime } from '../../format/clock.ts'
import { eventInWords, ownEvents } from '../moments/event-words.ts'

type Name = string | undefined
type PersonEventsProps = { id: string; person: Person; name: Name; onName: (name: Name) => void }

/** A person's events, newest first; only those of a name if there is one. */
export function PersonEvents({ id, person, name, onName }: PersonEventsProps) {
  const { projectId } = useAccount()
  const list = useInfiniteQuery(personEventsQuery(projectId, id, name))
  const events = list.data?.pages.flatMap(({ results }) => results)
  const known = person.events.find(({ event }) => event === name)
  const total = name === undefined ? person.event_count : known?.count
  const choices = [
    ['', 'all'],
    ...person.events.map(({ event, count: times }) => [event, `${event} (${count(times)})`] as const),
    // A name from the address that is not among the most frequent ones.
    ...(name === undefined || known ? [] : [[name, name] as const]),
  ] as const
  const older = () => void list.fetchNextPage()
  const noMatches = (
    <NoMatches title="No events of this name" clear="Show all events" onClear={() => onName(undefined)} />
  )
  return (
    <section aria-label="Events">
      {person.event_count > 0 && (
        <div className="mb-2 flex flex-wrap items-center gap-3">
          <SelectChip<string>
            label="Event"
            value={name ?? ''}
            choices={choices}
            onChange={(chosen) => onName(chosen || undefined)}
          />
          {events && (
            <output className="text-ink-3">
              {total !== undefined && events.length < total
                ? `Newest ${count(events.length)} of ${counted(total, 'event')}`
                : counted(events.length, 'event')}
            </output>
          )}
        </div>
      )}
      <ListNotes
        count={events?.length}
        error={list.isFetchNextPageError ? null : list.error}
        onRetry={() => void list.refetch()}
        empty={<EmptyState title="No events">No event of this person has been captured.</EmptyState>}
        filteredEmpty={name === undefined ? null : noMatches}
        loading={<TableSkeleton />}
      >
        <ol
          aria-label="Events, newest first"
          aria-busy={list.isPlaceholderData}
          className="border-t border-line"
        >
          {events?.map((event) => (
            <EventRow key={`${event.uuid} ${event.event} ${event.distinct_id}`} event={event} />
          ))}
        </ol>
      </ListNotes>
      {list.isFetchNextPageError && <ProblemNote error={list.error} onRetry={older} />}
      {list.hasNextPage && !list.isFetchNextPageError && (
        <div className="mt-3">
          <Button busy={list.isFetchingNextPage} onClick={older}>
            {list.isFetchingNextPage ? 'Loading…' : 'Older events'}
          </Button>
        </div>
      )}
    </section>
  )
}

function EventRow({ event }: { event: PersonEvent }) {
  const [open, setOpen] = useState(false)
  const words = eventInWords(event)
  const { moment } = event
  return (
    <li className="flex items-start gap-2 border-b border-line hover:bg-hover">
      <details className="min-w-0 flex-1" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="flex min-h-9 flex-wrap items-center gap-x-2.5 py-1 pl-1">
          <span className={`text-ink-3 ${open ? 'rotate-90' : ''}`}>
            <Icon name="right" size={14} />
          </span>
          <span className="w-16 shrink-0 text-ink-3">
            <RelativeTime time={event.timestamp} />
          </span>
          <span className={`min-w-0 truncate ${ownEvents.has(event.event) ? 'text-ink-3' : ''}`}>
            {words}
          </span>
          {words !== event.event && <code className="min-w-0 truncate text-ink-3">{event.event}</code>}
        </summary>
        {open && <Properties event={event} />}
      </details>
      {moment && (
        <Link
          to="/recordings/$id"
          params={{ id: moment.recording }}
          search={{ t: secondsBefore(moment.at) }}
          preload={false}
          aria-label={`Watch from ${clockTime(moment.at)}: ${words}`}
          className="flex h-9 shrink-0 items-center pr-2 text-run-ink underline-offset-3 hover:underline"
        >
          Watch&ensp;<span className="font-mono text-xs">{clockTime(moment.at)}</span>
        </Link>
      )}
    </li>
  )
}

function Properties({ event: { properties, distinct_id: id } }: { event: PersonEvent }) {
  const text = JSON.stringify(properties, null, 2)
  return (
    <div className="pb-3 pl-2">
      <div className="mb-1 flex flex-wrap items-center gap-3 text-xs text-ink-3">
        <span className="min-w-0 truncate">
          sent by <code>{id}</code>
        </span>
        <Button look="quiet" onClick={() => void copyText(text, 'Copied.')}>
          Copy properties
        </Button>
      </div>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- lets keyboard users scroll it
        tabIndex={0}
        aria-label="Properties"
        className="max-h-80 overflow-auto rounded-md border border-line bg-sunken p-3 wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </pre>
    </div>
  )
}
