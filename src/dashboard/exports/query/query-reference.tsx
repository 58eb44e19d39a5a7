import type { RefObject } from 'react'
import type { Model } from '../../../contract/exports/batch-export.ts'
import { insertText } from './insert-text.ts'

type QueryReferenceProps = { model: Model; hasQuery: boolean; area: RefObject<HTMLTextAreaElement | null> }

/** Lists columns and example queries; a click inserts them into the query. */
export function QueryReference({ model, hasQuery, area }: QueryReferenceProps) {
  const insert = (text: string) => {
    area.current?.focus()
    insertText(text)
  }
  const replace = (query: string) => {
    area.current?.focus()
    area.current?.select()
    insertText(query)
  }
  return (
    <details className="min-w-0">
      <summary className="w-fit rounded-sm text-xs font-medium text-ink-2">Columns and examples</summary>
      <div className="mt-2 flex flex-col gap-3">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-xs">
          {queryColumns[model].map(({ name, meaning }) => (
            <div key={name} className="contents">
              <dt>
                <button
                  type="button"
                  aria-label={`Insert ${name}`}
                  className="rounded-sm px-1 py-0.5 text-accent hover:bg-hover"
                  onClick={() => insert(name)}
                >
                  <code>{name}</code>
                </button>
              </dt>
              <dd className="py-0.5 text-ink-2">{meaning}</dd>
            </div>
          ))}
        </dl>
        <ul className="flex flex-col gap-2">
          {exampleQueries[model].map(({ title, query }) => (
            <li key={title}>
              <button
                type="button"
                className="w-full rounded-md border border-line px-2 py-1.5 text-left hover:bg-hover"
                onClick={() => replace(query)}
              >
                <span className="font-medium">{title}</span>
                <span className="text-xs text-ink-3">{hasQuery ? ' · replaces the query' : ''}</span>
                <code className="mt-0.5 block whitespace-pre-wrap text-ink-2">{query}</code>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </details>
  )
}

type QueryColumn = { name: string; meaning: string }

/** The columns that a query can use, in export order. */
const queryColumns: Record<Model, readonly QueryColumn[]> = {
  events: [
    { name: 'uuid', meaning: 'the event’s id' },
    { name: 'timestamp', meaning: 'when the event happened' },
    { name: 'inserted_at', meaning: 'when the service received it' },
    { name: 'created_at', meaning: 'when it was captured' },
    { name: 'event', meaning: 'the event’s name' },
    { name: 'properties', meaning: 'all its properties; for example, properties.$browser' },
    { name: 'distinct_id', meaning: 'the person’s id on the page' },
    { name: 'elements_chain', meaning: 'the clicked element, for $autocapture' },
    {
      name: 'person_properties',
      meaning: 'the person’s properties at that time; for example, person.properties.email',
    },
    { name: 'person_id', meaning: 'the person’s id' },
  ],
  persons: [
    { name: 'team_id', meaning: 'the project' },
    { name: 'distinct_id', meaning: 'one of the person’s distinct ids' },
    { name: 'person_id', meaning: 'the person’s id' },
    { name: 'properties', meaning: 'all properties; for example, properties.email' },
    { name: 'person_version', meaning: 'increases with each change to the person' },
    { name: 'person_distinct_id_version', meaning: 'increases when the id moves to another person' },
    { name: 'created_at', meaning: 'when the person was first seen' },
    { name: 'is_deleted', meaning: '1 when the person was deleted' },
  ],
  recordings: [
    { name: 'session_id', meaning: 'the session’s id' },
    { name: 'distinct_id', meaning: 'the visitor’s id on the page' },
    { name: 'person_id', meaning: 'the person’s id' },
    { name: 'start_time', meaning: 'when the recording began' },
    { name: 'end_time', meaning: 'when it ended' },
    { name: 'duration', meaning: 'seconds from its start to its end' },
    { name: 'active_seconds', meaning: 'seconds in which the visitor was active' },
    { name: 'inactive_seconds', meaning: 'seconds without activity' },
    { name: 'click_count', meaning: 'clicks' },
    { name: 'keypress_count', meaning: 'inputs' },
    { name: 'mouse_activity_count', meaning: 'mouse movements and clicks' },
    { name: 'console_log_count', meaning: 'console messages without warnings and errors' },
    { name: 'console_warn_count', meaning: 'warnings in the console' },
    { name: 'console_error_count', meaning: 'errors in the console' },
    { name: 'failed_request_count', meaning: 'requests that failed; null if they were not counted' },
    { name: 'start_url', meaning: 'the first page' },
    { name: 'pages', meaning: 'the pages in order, each with label, url and at' },
    { name: 'outcome', meaning: 'how it ended; for example, outcome.kind' },
    { name: 'problems', meaning: 'what went wrong, each with kind, label and at' },
    { name: 'browser', meaning: 'the browser, null if unknown' },
    { name: 'os', meaning: 'the operating system, null if unknown' },
    { name: 'device', meaning: 'desktop, mobile or tablet' },
    { name: 'country', meaning: 'ISO code, null if unknown' },
    { name: 'summary', meaning: 'the first sentence of its summary' },
    { name: 'snapshot_source', meaning: 'web or mobile' },
    { name: 'version', meaning: 'increases when the recording continues' },
    { name: 'inserted_at', meaning: 'when this version was complete' },
  ],
}

type ExampleQuery = { title: string; query: string }

const exampleQueries: Record<Model, readonly ExampleQuery[]> = {
  events: [
    {
      title: 'Page views with URL and browser',
      query: `SELECT
  uuid,
  timestamp,
  distinct_id,
  properties.$current_url AS url,
  properties.$browser AS browser
FROM events
WHERE event = '$pageview'`,
    },
    {
      title: 'A number from the properties, and the person’s email',
      query: `SELECT
  uuid,
  timestamp,
  toFloat(properties.revenue) AS revenue,
  person.properties.email AS email
FROM events
WHERE toFloat(properties.revenue) > 0`,
    },
  ],
  persons: [
    {
      title: 'Persons with their email and first day',
      query: `SELECT
  person_id,
  distinct_id,
  properties.email AS email,
  toDate(created_at) AS first_day
FROM persons
WHERE is_deleted = 0`,
    },
  ],
  recordings: [
    {
      title: 'Recordings with an error, and how they ended',
      query: `SELECT
  session_id,
  start_time,
  outcome.kind AS outcome,
  console_error_count AS errors,
  summary
FROM recordings
WHERE console_error_count > 0`,
    },
  ],
}
