import type { BatchExportRun } from '../../../contract/runs/batch-export-run.ts'
import { useAccount } from '../../account.ts'
import { CurlDialog } from './curl-dialog.tsx'
import { requestsOfRun } from './export-requests.ts'

/** Shows the actions on a run as curl commands. */
export function RunCurlDialog({ run, onClose }: { run: BatchExportRun; onClose: () => void }) {
  const { projectId } = useAccount()
  return <CurlDialog title="Run with curl" requests={requestsOfRun(projectId, run)} onClose={onClose} />
}
