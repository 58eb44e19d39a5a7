import { useQuery } from '@tanstack/react-query'
import { summaryQuery } from '../../queries/summary.ts'
import { SummaryView } from '../summary/summary-view.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ListProblem } from '../../ui/list/list-problem.tsx'
import type { Player } from '../player/player.ts'

type SummaryTabProps = { projectId: string; recordingId: string; player: Player }

/** The session's summary, written on request; a click on a sentence seeks to its moment. */
export function SummaryTab({ projectId, recordingId, player }: SummaryTabProps) {
  const { data, error, isFetching, refetch } = useQuery({
    ...summaryQuery(projectId, recordingId),
    enabled: false,
  })
  const summarize = () => void refetch()
  if (error && !isFetching) return <ListProblem error={error} onRetry={summarize} />
  if (!data)
    return (
      <EmptyState title="Not summarized yet">
        <p>A summary says in a few sentences what the visitor wanted, what they did and what went wrong.</p>
        <Button look="primary" busy={isFetching} onClick={summarize}>
          {isFetching ? 'Summarizing…' : 'Summarize'}
        </Button>
      </EmptyState>
    )
  return (
    <div className="flex flex-col gap-4 overflow-y-auto p-3.5">
      <SummaryView summary={data.summary} onSeek={(seconds) => player.seek(seconds * 1000)} />
      <div>
        <Button busy={isFetching} onClick={summarize}>
          Summarize again
        </Button>
      </div>
    </div>
  )
}
