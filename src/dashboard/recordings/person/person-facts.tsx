import { useState, type ReactNode } from 'react'
import type { Person } from '../../../contract/recordings/person.ts'
import { Button } from '../../ui/controls/button.tsx'
import { copyText } from '../../ui/feedback/copy-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { count, counted } from '../../format/amount.ts'
import { duration } from '../../format/time.ts'

/** Distinct ids shown until “more” is pressed. */
const shownIdsMax = 3

/** When a person was seen, the numbers of their visits and events, and their distinct ids. */
export function PersonFacts({ person }: { person: Person }) {
  const errors = person.console_error_count
  return (
    <>
      <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-2">
        <Fact name="First seen">
          {person.first_seen ? <RelativeTime time={person.first_seen} /> : 'never'}
        </Fact>
        <Fact name="Last seen">{person.last_seen ? <RelativeTime time={person.last_seen} /> : 'never'}</Fact>
        <Fact name="Recordings">{count(person.visit_count)}</Fact>
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
