import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isRunInProgress, type BatchExportRun } from '../../contract/batch-export-run.ts'
import { useAccount } from '../account.ts'
import { runQuery } from '../queries/runs.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { Status } from '../ui/status.tsx'
import { Elapsed, ShortTime, WindowTime } from '../ui/time.tsx'
import { bytes, count } from '../words/amount.ts'
import { runStatusInWords } from '../words/run-status.ts'
import { LogView } from './log-view.tsx'
import { RunActions } from './run-actions.tsx'
import { RunError } from './run-error.tsx'
import { RunProgress } from './run-progress.tsx'

type RunDrawerProps = { batchExportId: string; runId: string; onClose: () => void }

/** Everything about one run, over the list that it was opened from. */
export function RunDrawer({ batchExportId, runId, onClose }: RunDrawerProps) {
  const { projectId } = useAccount()
  const { data: run, error, refetch } = useQuery(runQuery(projectId, batchExportId, runId))
  const title = run ? (
    <>
      Run of <WindowTime start={run.data_interval_start} end={run.data_interval_end} />
    </>
  ) : (
    'Run'
  )
  return (
    <Dialog kind="drawer" title={title} onClose={onClose}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {run && (
        <div className="flex flex-col gap-5">
          <Facts run={run} />
          {run.latest_error && <RunError error={run.latest_error} />}
          <section aria-label="Logs of this run" className="flex flex-col gap-2">
            <h3>Logs</h3>
            <LogView
              source={{ projectId, batchExportId, runId }}
              filter={{}}
              live={isRunInProgress(run.status)}
              emptyText="This run has written no lines yet."
            />
          </section>
        </div>
      )}
    </Dialog>
  )
}

function Facts({ run }: { run: BatchExportRun }) {
  const { label, tone, explanation } = runStatusInWords(run.status)
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Status tone={tone}>{label}</Status>
        {run.status === 'Running' ? (
          <RunProgress run={run} />
        ) : (
          <span className="text-ink-3">{explanation}</span>
        )}
        <span className="ml-auto">
          <RunActions run={run} look="plain" />
        </span>
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        <Fact name="Rows">
          {count(run.records_completed)}
          {run.records_total_count !== null && ` of ${count(run.records_total_count)}`}
        </Fact>
        {run.bytes_exported !== null && <Fact name="Size">{bytes(run.bytes_exported)}</Fact>}
        <Fact name="Started">
          <ShortTime time={run.created_at} />
        </Fact>
        <Fact name="Took">
          <Elapsed from={run.created_at} until={run.finished_at} />
        </Fact>
        <Fact name="Attempt">{run.attempt}</Fact>
        {run.backfill && (
          <Fact name="Backfill">
            <code className="wrap-anywhere">{run.backfill}</code>
          </Fact>
        )}
        <Fact name="Run">
          <code className="wrap-anywhere select-all">{run.id}</code>
        </Fact>
      </dl>
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  )
}
