import type { Preview } from '../../queries/exports/preview.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { WindowTime } from '../../ui/time.tsx'
import { counted } from '../../format/amount.ts'
import { Panel } from './panel.tsx'
import { usePreview } from './use-preview.ts'
import { memo, useState } from 'react'
import { SelectChip } from '../../ui/controls/select-chip.tsx'

/** Shows columns, a few rows and the row count, as the export would write them. */
export const PreviewPanel = memo(function PreviewPanel() {
  const { shown, isOutdated, isLoading, queryProblem, failure, refresh } = usePreview()
  return (
    <Panel
      wide
      title="Preview"
      action={
        <Button busy={isLoading} onClick={refresh}>
          {isLoading ? 'Refreshing…' : 'Refresh'}
        </Button>
      }
    >
      <output className="block text-ink-2">
        {queryProblem && 'No preview: the query has an error. '}
        {queryProblem && shown && 'The rows below are from the previous query.'}
        {!queryProblem && shown && <RowCount preview={shown} />}
        {!queryProblem && !shown && isLoading && 'Reading the newest rows…'}
      </output>
      {failure && <ProblemNote error={failure} onRetry={refresh} />}
      {shown && <SampleRows preview={shown} isOutdated={isOutdated} />}
    </Panel>
  )
})

function RowCount({ preview }: { preview: Preview }) {
  const { rows_in_last_interval: count, rows, interval_start: start, interval_end: end } = preview
  return (
    <>
      {count === null ? 'More rows than could be counted' : counted(count, 'row')} in the last whole window,{' '}
      <WindowTime start={start} end={end} />.
      {count === 0 && rows.length > 0 && ' The rows below are from the previous 30 days.'}
      {count === 0 && rows.length === 0 && ' No rows in the previous 30 days either.'}
    </>
  )
}

type SampleProps = {
  preview: Preview
  /** The form has changed since the preview was requested. */
  isOutdated: boolean
}

/** Shows a few rows as a table, or one of them with its full values. */
const SampleRows = memo(function SampleRows({ preview, isOutdated }: SampleProps) {
  const { rows } = preview
  const [shown, setShown] = useState('all')
  const row = rows[Number(shown)]
  const choices: [string, string][] = rows.map((_, index) => [String(index), `row ${index + 1} in full`])
  return (
    <div className="flex flex-col items-start gap-2">
      <section
        aria-label={`Sample of ${counted(rows.length, 'row')}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that it scrolls by the arrow keys
        tabIndex={0}
        className={`scroll-hint max-h-112 w-full overflow-auto rounded-md border border-line ${isOutdated ? 'border-dashed text-ink-3' : ''}`}
      >
        {row ? <OneRow preview={preview} row={row} /> : <AllRows preview={preview} />}
      </section>
      {rows.length > 0 && (
        <SelectChip
          label="Show"
          value={row ? shown : 'all'}
          choices={[['all', 'all rows, shortened'], ...choices]}
          onChange={setShown}
        />
      )}
    </div>
  )
})

function AllRows({ preview: { columns, rows } }: { preview: Preview }) {
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr className="border-b border-line">
          {columns.map(({ name, type }) => (
            <th key={name} scope="col" className="px-2.5 py-1.5 text-left">
              <code className="font-semibold whitespace-nowrap">{name}</code>
              <span className="block text-xs font-normal text-ink-3">{type}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- rows of a sample have no identity
          <tr key={index} className="border-b border-line last:border-0">
            {columns.map(({ name }, column) => (
              <td key={name} className="px-2.5 py-1">
                <Value text={textOf(row[column])} className="block max-w-56 truncate" />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function OneRow({ preview: { columns }, row }: { preview: Preview; row: readonly unknown[] }) {
  return (
    <table className="w-full border-collapse">
      <tbody>
        {columns.map(({ name, type }, column) => (
          <tr key={name} className="border-b border-line last:border-0 *:align-top">
            <th scope="row" className="w-px bg-sunken px-2.5 py-1 text-left">
              <code className="font-semibold whitespace-nowrap">{name}</code>
              <span className="block text-xs font-normal text-ink-3">{type}</span>
            </th>
            <td className="px-2.5 py-1">
              <Value text={textOf(row[column], 2)} className="whitespace-pre-wrap wrap-anywhere" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Value({ text, className }: { text: string | null; className: string }) {
  if (text === null) return <span className="text-xs text-ink-3">null</span>
  return <code className={className}>{text}</code>
}

/** Returns the text of a cell: strings unchanged, other values as JSON; null for none. */
function textOf(value: unknown, indent = 0): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value, null, indent)
}
