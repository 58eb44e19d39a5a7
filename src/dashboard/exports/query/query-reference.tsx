import type { RefObject } from 'react'
import type { Model } from '../../../contract/exports/batch-export.ts'
import { insertText } from './insert-text.ts'
import { exampleQueries, queryColumns } from './query-words.ts'

type QueryReferenceProps = {
  model: Model
  hasQuery: boolean
  area: RefObject<HTMLTextAreaElement | null>
}

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
