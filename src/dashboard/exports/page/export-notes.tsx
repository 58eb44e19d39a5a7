import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import type { BatchExportRun } from '../../../contract/runs/batch-export-run.ts'
import { exportCan } from '../../../contract/exports/export-rules.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ShortTime, WindowTime, RelativeTime } from '../../ui/time.tsx'
import { useRetryAllFailed } from '../runs/retry-all-failed.tsx'
import { RunError } from '../runs/run-error.tsx'
import { exportToFix, FixDestination } from '../failures/fix-destination.tsx'
import { FailureMeter } from './export-status.tsx'
import { useFailingSince } from '../grid/use-period.ts'
import { useQuery } from '@tanstack/react-query'
import { useAccount } from '../../account.ts'
import { runsQuery } from '../../queries/exports/runs.ts'
import { hasFailed } from '../../format/export-state.ts'
import { useState, type ReactNode } from 'react'
import { formatInstant } from '../../../contract/instant.ts'
import { endpointQuery } from '../../queries/endpoint-query.ts'
import { live } from '../../queries/live.ts'
import { useNow } from '../../ui/use-now.ts'
import { counted } from '../../format/amount.ts'
import { skippedInWords } from '../../format/pause.ts'
import { usePreferences } from '../../format/preferences.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '@tanstack/react-router'
import { writeReason } from '../../../contract/runs/run-status.ts'

type ExportNotesProps = {
  batchExport: BatchExport
  /** Why the export cannot be unpaused; null if it can. */
  unpauseReason: string | null
  onUnpause: () => void
  onEditPause: () => void
}

/** The notes on an export that is paused, fails, or differs from its definition. */
export function ExportNotes({ batchExport, unpauseReason, onUnpause, onEditPause }: ExportNotesProps) {
  const { id, paused, paused_because: because, last_paused_at: pausedAt, applied } = batchExport
  const since = useFailingSince(batchExport)
  return (
    <>
      {because !== null ? (
        <AlertNote
          label="Automatic pause"
          batchExport={batchExport}
          action={{ label: 'Unpause', reason: unpauseReason, run: onUnpause }}
        >
          <p>
            <strong className="font-semibold">
              Paused automatically {pausedAt && <RelativeTime time={pausedAt} />}.
            </strong>{' '}
            {because} Fix the cause, then unpause the export. A backfill exports the windows of the pause.
          </p>
        </AlertNote>
      ) : (
        typeof since === 'number' && <Failing batchExport={batchExport} since={since} />
      )}
      {paused && <PauseNote batchExport={batchExport} onEdit={onEditPause} />}
      {applied?.changed && (
        <p className="mt-2 text-short-ink">
          Changed since it was applied{applied.source !== null && ` from ${applied.source}`},{' '}
          <RelativeTime time={applied.at} />:{' '}
          <Link to="/exports/$id/settings" params={{ id }} className="underline underline-offset-2">
            show the differences
          </Link>
        </p>
      )}
    </>
  )
}

/** Shows why an export fails, which windows failed, and a button that retries them. */
function Failing({ batchExport, since }: { batchExport: BatchExport; since: number }) {
  const { amount, reason, start } = useRetryAllFailed(batchExport)
  return (
    <AlertNote
      label="Failure"
      batchExport={batchExport}
      action={{
        label: amount === '1' ? 'Retry this window' : `Retry ${amount || 'all failed'} windows`,
        reason,
        run: start,
      }}
    >
      <p className="font-semibold">
        Failing since <ShortTime time={since} />.
      </p>
    </AlertNote>
  )
}

/** Says which windows failed and have not been exported since. */
function FailedWindows({ batchExport }: { batchExport: BatchExport }) {
  const { failed, amount } = useRetryAllFailed(batchExport)
  const [first, last] = [failed[0], failed.at(-1)]
  if (!first || !last) return null
  return (
    <p className="text-ink-2">
      {amount === '' && 'At least '}
      {counted(failed.length, 'window')} failed
      {failed.length > 1 && ', within'} <WindowTime start={first.start} end={last.end} />.
    </p>
  )
}

/** Returns an export's newest failed run, or undefined while it loads or if no run failed. */
function useNewestFailure({ id, latest_runs: latest }: BatchExport): BatchExportRun | undefined {
  const { projectId } = useAccount()
  const known = latest.find(({ status }) => hasFailed(status))
  // The runs of a backfill can follow the failed one.
  const { data } = useQuery({
    ...runsQuery(projectId, id, { status: ['Failed', 'TimedOut'] }),
    enabled: !known,
  })
  return known ?? data?.results[0]
}

/** Whether a retry would fail again until the destination is changed; undefined while that is unknown. */
function useNeedsFix({ id }: BatchExport): boolean | undefined {
  const { projectId } = useAccount()
  // Differs each time, so that no response from before a change of the destination is used.
  const [start] = useState(() => formatInstant(Date.now() - 90 * 86_400_000))
  const input = { params: { project_id: projectId }, query: { batch_export: id, start } }
  const { data } = useQuery({ ...endpointQuery('failureCauses', input), ...live(() => 'resting') })
  return data?.results.slice(0, 1).some(exportToFix)
}

/** Shows why an export is paused, what the pause skips and until when. */
function PauseNote({ batchExport, onEdit }: { batchExport: BatchExport; onEdit: () => void }) {
  const { scopes } = useAccount()
  const { zone } = usePreferences()
  const { pause_reason: why, paused_until: until, last_paused_at: pausedAt } = batchExport
  const from = pausedAt === null ? null : Date.parse(pausedAt)
  const end = until === null ? null : Date.parse(until)
  const skipped = useNow(
    (now) => from !== null && skippedInWords(batchExport, { from, until: end }, zone, now),
  )
  return (
    <section
      aria-label="Pause"
      className="mt-3 flex flex-wrap items-center gap-3 rounded-md border border-line px-3 py-2"
    >
      <p className="min-w-64 flex-1 wrap-anywhere">
        <strong className="font-semibold">
          Paused {pausedAt && <RelativeTime time={pausedAt} />}
          {why === null ? '.' : `: “${why}”${/[.!?]$/.test(why) ? '' : '.'}`}
        </strong>{' '}
        {until !== null && (
          <>
            Ends <RelativeTime time={until} />.{' '}
          </>
        )}
        <span className="text-ink-2">{skipped}</span>
      </p>
      <Button reason={writeReason(scopes)} onClick={onEdit}>
        {why === null && until === null ? 'Add a reason or an end' : 'Edit pause'}
      </Button>
    </section>
  )
}

type AlertNoteProps = {
  label: string
  batchExport: BatchExport
  /** The action that helps once the destination is right, which else is the first to fix. */
  action: { label: string; reason: string | null; run: () => void }
  children: ReactNode
}

/** Shows what is wrong with an export at the top of its page, with the newest error and the action that corrects it. */
function AlertNote({ label, batchExport, action, children }: AlertNoteProps) {
  const { scopes } = useAccount()
  const run = useNewestFailure(batchExport)
  const error = run?.latest_error
  const needsFix = useNeedsFix(batchExport)
  return (
    <section
      aria-label={label}
      className="mt-3 flex flex-wrap items-center gap-3 rounded-md border border-fail px-3 py-2"
    >
      <span className="mt-0.5 self-start text-fail-ink">
        <Icon name="alert" />
      </span>
      <div className="min-w-64 flex-1">
        {children}
        {error && <RunError error={error} />}
        <FailedWindows batchExport={batchExport} />
        <FailureMeter batchExport={batchExport} />
      </div>
      <div className="flex flex-wrap gap-2">
        {needsFix && <FixDestination of={batchExport} reason={exportCan.edit(batchExport, scopes)} />}
        <Button look={needsFix === false ? 'primary' : 'plain'} reason={action.reason} onClick={action.run}>
          {action.label}
        </Button>
      </div>
    </section>
  )
}
