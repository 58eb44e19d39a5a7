import type { Preview } from '../../queries/exports/preview.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { WindowTime } from '../../ui/time.tsx'
import { counted } from '../../format/amount.ts'
import { Panel } from './panel.tsx'
import { SampleRows } from './sample-rows.tsx'
import type { PreviewState } from './use-preview.ts'

/** Shows columns, a few rows and the row count, as the export would write them. */
export function PreviewPanel({ preview }: { preview: PreviewState }) {
  const { shown, isOutdated, isLoading, queryProblem, failure, refresh } = preview
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
}

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
