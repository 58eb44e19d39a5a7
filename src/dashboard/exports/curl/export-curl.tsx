import { useQuery } from '@tanstack/react-query'
import { batchExportQuery } from '../../queries/exports/batch-exports.ts'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { counted } from '../../format/amount.ts'
import { CurlDialog } from './curl-dialog.tsx'
import { requestsOfExport, requestsOfExports } from './export-requests.ts'

type Named = { id: string; team_id: number; name: string }
type ExportCurlProps = { rows: readonly Named[]; onClose: () => void }

/** Shows the actions on one export, or the bulk actions on several, as curl commands. */
export function ExportCurl({ rows, onClose }: ExportCurlProps) {
  const [only, ...others] = rows
  if (only && others.length === 0) return <OneExport of={only} onClose={onClose} />
  return (
    <CurlDialog
      title={`${counted(rows.length, 'export')} with curl`}
      requests={requestsOfExports(rows)}
      onClose={onClose}
    />
  )
}

function OneExport({ of: { id, team_id, name }, onClose }: { of: Named; onClose: () => void }) {
  const { data, error, refetch } = useQuery(batchExportQuery(String(team_id), id))
  const title = `${name} with curl`
  if (data) return <CurlDialog title={title} requests={requestsOfExport(data)} onClose={onClose} />
  return (
    <Dialog kind="sheet" title={title} onClose={onClose}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
    </Dialog>
  )
}
