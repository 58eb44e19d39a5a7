import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { SessionRecording } from '../../../contract/session-recording.ts'
import { useAccount } from '../../account.ts'
import { summaryQuery } from '../../queries/summary.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ListProblem } from '../../ui/list/list-problem.tsx'
import { Progress } from '../../ui/feedback/progress.tsx'
import { count } from '../../words/amount.ts'
import { namedRecordings, recordingName } from '../../words/recording-name.ts'
import { SummaryView } from './summary-view.tsx'

type SummarizeDialogProps = { rows: readonly SessionRecording[]; onClose: () => void }

/** The summaries of these recordings, written one after the other. */
export function SummarizeDialog({ rows, onClose }: SummarizeDialogProps) {
  const [only] = rows
  return (
    <Dialog title={`Summary of ${namedRecordings(rows)}`} onClose={onClose}>
      {rows.length === 1 && only ? <SummaryOf row={only} /> : <SummariesOf rows={rows} />}
    </Dialog>
  )
}

function SummariesOf({ rows }: { rows: readonly SessionRecording[] }) {
  const client = useQueryClient()
  const { projectId } = useAccount()
  const [ended, setEnded] = useState(0)
  useEffect(() => {
    const closed = new AbortController()
    const summarizeAll = async () => {
      for (const [index, row] of rows.entries()) {
        await client.prefetchQuery(summaryQuery(projectId, row.id))
        if (closed.signal.aborted) return
        setEnded(index + 1)
      }
    }
    void summarizeAll()
    return () => closed.abort()
  }, [rows, client, projectId])
  return (
    <div className="flex flex-col gap-3">
      <output className="flex items-center gap-3">
        <Progress share={ended / rows.length} label="Summarized" />
        {count(ended)} of {count(rows.length)} summarized
      </output>
      {rows.map((row, index) => (
        <details key={row.id} className="border-t border-line pt-2" open={index === 0}>
          <summary className="mb-2 font-medium">{recordingName(row)}</summary>
          <SummaryOf row={row} turn={index <= ended ? 'started' : 'waiting'} />
        </details>
      ))}
    </div>
  )
}

type SummaryOfProps = {
  row: SessionRecording
  /** Whether this summary has started, if there are several; null for a single one, which starts automatically. */
  turn?: 'started' | 'waiting' | null
}

function SummaryOf({ row, turn = null }: SummaryOfProps) {
  const { projectId } = useAccount()
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({
    ...summaryQuery(projectId, row.id),
    enabled: turn === null,
  })
  if (error) return <ListProblem error={error} onRetry={() => void refetch()} />
  if (!data) return <output className="text-ink-3">{turn === 'waiting' ? 'Waiting…' : 'Summarizing…'}</output>
  const seek = (t: number) =>
    void navigate({ to: '/recordings/$id', params: { id: row.id }, search: { t: Math.floor(t) } })
  return <SummaryView summary={data.summary} onSeek={seek} />
}
