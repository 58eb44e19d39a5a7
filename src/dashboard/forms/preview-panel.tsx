import { useState } from 'react'
import type { Preview } from '../queries/preview.ts'
import { Button } from '../ui/button.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { WindowTime } from '../ui/time.tsx'
import { counted } from '../words/amount.ts'
import { Panel } from './panel.tsx'
import { sampleValue, wholeValue } from './sample-value.ts'
import type { PreviewState } from './use-preview.ts'

/** Columns, a few rows and their number, as the export would write them. */
export function PreviewPanel({ preview }: { preview: PreviewState }) {
  const { shown, isOutdated, isLoading, queryProblem, failure, refresh } = preview
  return (
    <Panel
      title="Preview"
      action={
        <Button busy={isLoading} onClick={refresh}>
          {isLoading ? 'Refreshing…' : 'Refresh'}
        </Button>
      }
    >
      <output className="block text-ink-2">
        {queryProblem && 'No preview: something is wrong with the query. '}
        {queryProblem && shown && 'Below are the rows from before.'}
        {!queryProblem && shown && <RowCount preview={shown} />}
        {!queryProblem && !shown && isLoading && 'Looking at the newest rows…'}
      </output>
      {failure && <ProblemNote error={failure} onRetry={refresh} />}
      {shown && <Sample preview={shown} faded={isOutdated} />}
    </Panel>
  )
}

function RowCount({ preview }: { preview: Preview }) {
  const { rows_in_last_interval: count, rows, interval_start: start, interval_end: end } = preview
  return (
    <>
      {count === null ? 'More rows than can be counted at once' : counted(count, 'row')} in the last whole
      window, <WindowTime start={start} end={end} />.
      {count === 0 && rows.length > 0 && ' Below are rows of the 30 days before.'}
      {count === 0 && rows.length === 0 && ' There are none of the 30 days before either.'}
    </>
  )
}

function Sample({ preview, faded }: { preview: Preview; faded: boolean }) {
  const { columns, rows } = preview
  const [isWhole, setWhole] = useState(false)
  return (
    <div className="flex flex-col gap-2">
      <section
        aria-label={`Sample of ${counted(rows.length, 'row')}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that it scrolls by the arrow keys
        tabIndex={0}
        className={`overflow-auto rounded-md border border-line ${isWhole ? 'max-h-120' : ''} ${faded ? 'opacity-60' : ''}`}
      >
        <table className="w-full border-collapse">
          <thead>
            <tr className="border-b border-line bg-sunken">
              {columns.map(({ name, type }) => (
                <th key={name} scope="col" className="px-2.5 py-1.5 text-left align-top">
                  <code className="font-semibold whitespace-nowrap">{name}</code>
                  <span className="block text-xs font-normal text-ink-3">{type}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows of a sample have no identity
              <tr key={index} className="border-b border-line align-top last:border-0">
                {columns.map(({ name }, column) => (
                  <td key={name} className="px-2.5 py-1">
                    <Value value={row[column]} isWhole={isWhole} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > 0 && (
        <label className="flex w-fit items-center gap-1.5 text-xs text-ink-2">
          <input type="checkbox" checked={isWhole} onChange={(event) => setWhole(event.target.checked)} />
          Whole values
        </label>
      )}
    </div>
  )
}

function Value({ value, isWhole }: { value: unknown; isWhole: boolean }) {
  const text = isWhole ? wholeValue(value) : sampleValue(value)
  if (text === null) return <span className="text-xs text-ink-3">null</span>
  return (
    <code
      className={isWhole ? 'block min-w-40 whitespace-pre-wrap wrap-anywhere' : 'block max-w-56 truncate'}
    >
      {text}
    </code>
  )
}
