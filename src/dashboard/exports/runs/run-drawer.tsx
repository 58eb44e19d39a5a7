import { useQuery } from '@tanstack/react-query'
import { useAccount } from '../../account.ts'
import { isStatus } from '../../api/problem.ts'
import { runQuery } from '../../queries/exports/runs.ts'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { WindowTime } from '../../ui/time.tsx'
import { RunDetails } from './run-details.tsx'

type RunDrawerProps = { batchExportId: string; runId: string; onClose: () => void }

/** Shows everything about one run, over the list from which it was opened. */
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
      {!run && !error && <output className="appear-late text-ink-3">Loading the run…</output>}
      {isStatus(error, 404) ? (
        <p>This export has no such run. The address may be incomplete, or belong to another export.</p>
      ) : (
        error && <ProblemNote error={error} onRetry={() => void refetch()} />
      )}
      {run && (
        <>
          <RunDetails run={run} />
          <p className="mt-5">
            <TextLink to="/runs/$runId" params={{ runId }}>
              Open full page
            </TextLink>
          </p>
        </>
      )}
    </Dialog>
  )
}
