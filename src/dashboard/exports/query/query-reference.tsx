import type { RefObject } from 'react'
import type { Model } from '../../../contract/exports/batch-export.ts'
import { queryLines } from '../../format/query-lines.ts'

type QueryReferenceProps = { model: Model; hasQuery: boolean; area: RefObject<HTMLTextAreaElement | null> }

/** Lists columns and example queries; a click inserts them into the query. */
export function QueryReference({ model, hasQuery, area }: QueryReferenceProps) {
  const insert = (text: string, replaces = false) => {
    area.current?.focus()
    if (replaces) area.current?.select()
    insertText(text)
  }
  return (
    <details className="min-w-0">
      <summary className="w-fit rounded-sm text-xs font-medium text-ink-2">Columns and examples</summary>
      <div className="mt-2 flex flex-col gap-3">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-xs">
          {Object.entries(queryColumns[model]).map(([name, meaning]) => (
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
          {examplesOf(model).map(({ title, query }) => (
            <li key={title}>
              <button
                type="button"
                className="w-full rounded-md border border-line px-2 py-1.5 text-left hover:bg-hover"
                onClick={() => insert(query, true)}
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

/** The meanings of the columns that a query can use, in export order. */
const queryColumns: Record<Model, Record<string, string>> = {
  events: {
    uuid: 'the event’s id',
    timestamp: 'when the event happened',
    inserted_at: 'when the service received it',
    created_at: 'when it was captured',
    event: 'the event’s name',
    properties: 'all its properties; for example, properties.$browser',
    distinct_id: 'the person’s id on the page',
    elements_chain: 'the clicked element, for $autocapture',
    person_properties: 'the person’s properties at that time; for example, person.properties.email',
    person_id: 'the person’s id',
  },
  persons: {
    team_id: 'the project',
    distinct_id: 'one of the person’s distinct ids',
    person_id: 'the person’s id',
    properties: 'all properties; for example, properties.email',
    person_version: 'increases with each change to the person',
    person_distinct_id_version: 'increases when the id moves to another person',
    created_at: 'when the person was first seen',
    is_deleted: '1 when the person was deleted',
  },
  recordings: {
    session_id: 'the session’s id',
    distinct_id: 'the visitor’s id on the page',
    person_id: 'the person’s id',
    start_time: 'when the recording began',
    end_time: 'when it ended',
    duration: 'seconds from its start to its end',
    active_seconds: 'seconds in which the visitor was active',
    inactive_seconds: 'seconds without activity',
    click_count: 'clicks',
    keypress_count: 'inputs',
    mouse_activity_count: 'mouse movements and clicks',
    console_log_count: 'console messages without warnings and errors',
    console_warn_count: 'warnings in the console',
    console_error_count: 'errors in the console',
    failed_request_count: 'requests that failed; null if they were not counted',
    start_url: 'the first page',
    pages: 'the pages in order, each with label, url and at',
    outcome: 'how it ended; for example, outcome.kind',
    problems: 'what went wrong, each with kind, label and at',
    browser: 'the browser, null if unknown',
    os: 'the operating system, null if unknown',
    device: 'desktop, mobile or tablet',
    country: 'ISO code, null if unknown',
    summary: 'the first sentence of its summary',
    snapshot_source: 'web or mobile',
    version: 'increases when the recording continues',
    inserted_at: 'when this version was complete',
  },
}

/** Examples, shown with one column per line. */
const exampleQueries: Record<Model, readonly { title: string; query: string }[]> = {
  events: [
    {
      title: 'Page views with URL and browser',
      query:
        "SELECT uuid, timestamp, distinct_id, properties.$current_url AS url, properties.$browser AS browser FROM events WHERE event = '$pageview'",
    },
    {
      title: 'A number from the properties, and the person’s email',
      query:
        'SELECT uuid, timestamp, toFloat(properties.revenue) AS revenue, person.properties.email AS email FROM events WHERE toFloat(properties.revenue) > 0',
    },
  ],
  persons: [
    {
      title: 'Persons with their email and first day',
      query:
        'SELECT person_id, distinct_id, properties.email AS email, toDate(created_at) AS first_day FROM persons WHERE is_deleted = 0',
    },
  ],
  recordings: [
    {
      title: 'Recordings with an error, and how they ended',
      query:
        'SELECT session_id, start_time, outcome.kind AS outcome, console_error_count AS errors, summary FROM recordings WHERE console_error_count > 0',
    },
  ],
}

function examplesOf(model: Model) {
  return exampleQueries[model].map(({ title, query }) => ({ title, query: queryLines(query).join('\n') }))
}

/** Inserts text at the caret of the focused field as if typed, so that Ctrl+Z undoes it. */
export function insertText(text: string): void {
  // Deprecated, but no other API keeps the field's undo history.
  document.execCommand('insertText', false, text)
}
