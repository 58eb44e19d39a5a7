import { useQuery } from '@tanstack/react-query'
import { summaryQuery, useRewordSummary } from '../../queries/recordings/summary.ts'
import { Button } from '../../ui/controls/button.tsx'
import { toastFailure } from '../../ui/feedback/toasts.ts'
import { ListProblem } from '../../ui/list/list-problem.tsx'
import { SummaryView } from './summary-view.tsx'

type SummaryPanelProps = {
  projectId: string
  recordingId: string
  /** Seeks to a moment, in seconds since the recording's start. */
  onSeek: (seconds: number) => void
}

/** The stored summary of a recording, and a button that has the language model word it if there is one. */
export function SummaryPanel({ projectId, recordingId, onSeek }: SummaryPanelProps) {
  const { data, error, refetch } = useQuery(summaryQuery(projectId, recordingId))
  const rewording = useRewordSummary(projectId, recordingId)
  const reword = () =>
    rewording.mutate(undefined, { onError: toastFailure('The summary could not be rewritten.', reword) })
  if (!data && error) return <ListProblem error={error} onRetry={() => void refetch()} />
  if (!data) return <output className="appear-late text-ink-3">Summarizing…</output>
  const { summary, language_model: model } = data
  return (
    <div className="flex flex-col gap-4">
      <SummaryView summary={summary} onSeek={onSeek} />
      {model !== null && summary.written_by === 'rules' && (
        <div>
          <Button busy={rewording.isPending} onClick={reword}>
            {rewording.isPending ? 'Rewriting…' : `Rewrite with ${model}`}
          </Button>
        </div>
      )}
    </div>
  )
}
