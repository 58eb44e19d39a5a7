import { useQuery } from '@tanstack/react-query'
import { summaryQuery } from '../../queries/summary.ts'
import { SummaryView } from '../summary/summary-view.tsx'
import { Button } from '../../ui/button.tsx'
import { ListProblem } from '../../ui/list/list-problem.tsx'
import type { Player } from '../player/player.ts'

type SummaryTabProps = { projectId: string; recordingId: string; player: Player }

/** The session's summary; a click on a sentence seeks to its moment. */
export function SummaryTab({ projectId, recordingId, player }: SummaryTabProps) {
  const { data, error, isFetching, refetch } = useQuery(summaryQuery(projectId, recordingId))
  const summarize = () => void refetch()
  if (error && !isFetching) return <ListProblem error={error} onRetry={summarize} />
  if (!data) return <output className="appear-late p-3.5 text-ink-3">Summarizing…</output>
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
