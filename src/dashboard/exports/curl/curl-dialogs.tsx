import { useQuery } from '@tanstack/react-query'
import type { BatchExportRun } from '../../../contract/runs/batch-export-run.ts'
import { useAccount } from '../../account.ts'
import { lastActions } from '../../api/last-actions.ts'
import { batchExportQuery } from '../../queries/exports/batch-exports.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { copyText } from '../../ui/feedback/toasts.ts'
import { Icon } from '../../ui/icon.tsx'
import { counted } from '../../format/amount.ts'
import { usePreferences } from '../../format/preferences.ts'
import { logTime } from '../../format/time.ts'
import {
  requestsOfActions,
  requestsOfExport,
  requestsOfExports,
  requestsOfRun,
  type CurlRequest,
} from './curl-requests.ts'

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

/** Shows the actions on a run as curl commands. */
export function RunCurl({ run, onClose }: { run: BatchExportRun; onClose: () => void }) {
  const { projectId } = useAccount()
  return <CurlDialog title="Run with curl" requests={requestsOfRun(projectId, run)} onClose={onClose} />
}

/** Shows the last actions of this tab, whatever they changed, as curl commands. */
export function LastActionsCurl({ onClose }: { onClose: () => void }) {
  const { zone } = usePreferences()
  const requests = requestsOfActions(lastActions(), (at) => logTime(at, zone))
  return <CurlDialog title="Your last actions with curl" requests={requests} onClose={onClose} />
}

type CurlDialogProps = { title: string; requests: readonly CurlRequest[]; onClose: () => void }

/** Lists actions as curl commands, to copy. */
function CurlDialog({ title, requests, onClose }: CurlDialogProps) {
  const hasSecrets = requests.some(({ command }) => /"<\w+>"/.test(command))
  return (
    <Dialog kind="sheet" title={title} onClose={onClose}>
      <div className="flex flex-col gap-5">
        {requests.length === 0 && <p>Nothing has been changed in this tab since the page was loaded.</p>}
        <p className="text-ink-2">
          The commands take the API key from the variable <code>SPOOL_API_KEY</code>.
          {hasSecrets && ' Replace each <…> with a secret.'}
        </p>
        {requests.map(({ label, command }) => (
          <section key={command} aria-label={label} className="flex flex-col gap-1.5">
            <div className="flex items-center justify-between gap-3">
              <h3 className="min-w-0 font-semibold wrap-anywhere">{label}</h3>
              <Button aria-label={`Copy: ${label}`} onClick={() => void copyText(command, 'Copied as curl.')}>
                <Icon name="copy" /> Copy
              </Button>
            </div>
            <pre
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- lets the arrow keys scroll it
              tabIndex={0}
              aria-label={`Command: ${label}`}
              className="max-h-80 overflow-auto rounded-md border border-line bg-sunken p-3"
            >
              {command}
            </pre>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
