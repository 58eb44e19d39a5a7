import { Link } from '@tanstack/react-router'
import { writeReason } from '../../../contract/runs/run-status.ts'
import type { FailureCauseGroup, FailureCauses } from '../../../contract/runs/failure-cause.ts'
import { useAccount } from '../../account.ts'
import { Button } from '../../ui/controls/button.tsx'
import { usePaletteActions } from '../../ui/list/palette-actions.ts'
import { RelativeTime } from '../../ui/time.tsx'
import { count, counted } from '../../format/amount.ts'
import { extentInWords, failureClassLabels, pauseInWords } from '../../format/failure.ts'
import { errorInWords } from '../../../contract/runs/run-error.ts'
import { FullError } from '../runs/run-error.tsx'
import { exportToFix, FixDestination } from './fix-destination.tsx'
import { TriageCause } from './triage-cause.tsx'
import { useBulkActions } from './use-bulk-actions.ts'

/** Lists causes of failures with advice, the affected exports and actions; `start` (ISO 8601): since when runs failed. */
export function CauseList({ causes, start }: { causes: readonly FailureCauseGroup[]; start: string }) {
  return (
    <ol className="flex flex-col gap-3">
      {causes.map((cause) => (
        <Cause key={cause.key} cause={cause} start={start} />
      ))}
    </ol>
  )
}

function Cause({ cause, start }: { cause: FailureCauseGroup; start: string }) {
  const { title, message, advice, destination, windows_left: left } = cause
  const { advice: own } = errorInWords(message)
  // What follows the headline of a query's error says what is wrong in it, not only what to do.
  const isOfQuery = cause.class === 'query' || cause.class === 'schema'
  return (
    <li
      className={`grid gap-x-6 gap-y-3 rounded-md border px-3.5 py-3 lg:grid-cols-[minmax(0,1fr)_23rem] ${left > 0 && cause.state === 'open' ? 'border-fail' : 'border-line'}`}
    >
      <div className="flex min-w-0 flex-col gap-2">
        <h2 className="wrap-anywhere">
          <span className="font-normal text-ink-3">{failureClassLabels[cause.class]}:</span> {title}
        </h2>
        {isOfQuery && own !== '' && <p className="wrap-anywhere text-ink-2">{own}</p>}
        <p className="wrap-anywhere">
          <strong className="font-semibold">What to do:</strong> {isOfQuery || own === '' ? advice : own}
        </p>
        <FullError error={message} />
        <p className="text-ink-2">
          {extentInWords(cause)}. First failed window <RelativeTime time={cause.first_window} />, last failure{' '}
          <RelativeTime time={cause.last_seen} />
          {destination !== null && (
            <>
              {' '}
              at <code className="wrap-anywhere">{destination}</code>
            </>
          )}
          .{' '}
          <Link
            to="/runs/$runId"
            params={{ runId: cause.run }}
            className="underline underline-offset-2"
            aria-label={`Newest run of ${title}`}
          >
            Newest run
          </Link>
        </p>
      </div>
      <div className="flex min-w-0 flex-col gap-2.5">
        <CauseActions cause={cause} start={start} />
        <TriageCause cause={cause} />
        <AffectedExports cause={cause} />
      </div>
    </li>
  )
}

function CauseActions({ cause, start }: { cause: FailureCauseGroup; start: string }) {
  const { scopes } = useAccount()
  const { busy, perform, retryAll } = useBulkActions(start)
  const { key, windows_left: left, title, exports_running: running } = cause
  const reason = title.slice(0, 400)
  const retry = () => void retryAll([cause])
  const pause = () =>
    void perform('The exports could not be paused.', [
      { action: 'pause_batch_exports', filter: { cause: key, after: start, paused: false }, reason },
    ])
  const forbidden = writeReason(scopes)
  const toFix = exportToFix(cause)
  const retryReason = forbidden ?? (left === 0 ? 'No window is left to retry.' : null)
  const pauseReason = forbidden ?? (running === 0 ? 'These exports are already paused.' : null)
  const retryLabel = `Retry ${left > 0 ? counted(left, 'window') : 'windows'}`
  const pauseLabel = pauseInWords(cause)
  usePaletteActions([
    { id: `retry ${key}`, label: retryLabel, hint: title, reason: retryReason, run: retry },
    { id: `pause ${key}`, label: pauseLabel, hint: title, reason: pauseReason, run: pause },
  ])
  return (
    <div className="flex flex-wrap gap-2">
      {toFix && <FixDestination of={toFix} reason={forbidden} />}
      <Button
        look={left > 0 && !toFix ? 'primary' : 'plain'}
        busy={busy}
        reason={retryReason}
        onClick={retry}
      >
        {retryLabel}
      </Button>
      <Button busy={busy} reason={pauseReason} onClick={pause}>
        {pauseLabel}
      </Button>
    </div>
  )
}

/** Retries the windows left of several causes, except where the destination must be fixed first. */
export function RetryAllCauses({ results, causes_count: total, start }: FailureCauses) {
  const { scopes } = useAccount()
  const { busy, retryAll } = useBulkActions(start)
  const left = results.filter((cause) => cause.windows_left > 0)
  const ready = left.filter((cause) => !exportToFix(cause))
  if (ready.length < 2) return null
  const windows = ready.reduce((sum, cause) => sum + cause.windows_left, 0)
  const toFix = left.length - ready.length
  return (
    <>
      {toFix > 0 && (
        <span className="text-ink-3">Fix the destination of {counted(toFix, 'cause')} first.</span>
      )}
      <Button busy={busy} reason={writeReason(scopes)} onClick={() => void retryAll(ready)}>
        Retry {toFix === 0 && 'all '}
        {counted(windows, toFix === 0 ? 'failed window' : 'other failed window')}
        {total > results.length && ` of the first ${results.length} causes`}
      </Button>
    </>
  )
}

/** Exports shown before the others are collapsed. */
const shownMax = 5

function AffectedExports({ cause }: { cause: FailureCauseGroup }) {
  const { exports, exports_count: total } = cause
  const rest = exports.slice(shownMax)
  return (
    <>
      <ExportNames exports={exports.slice(0, shownMax)} />
      {rest.length > 0 && (
        <details>
          <summary className="text-ink-2">{counted(total - shownMax, 'more export')}</summary>
          <ExportNames exports={rest} />
          {total > exports.length && (
            <p className="text-ink-3">and {count(total - exports.length)} that are not listed</p>
          )}
        </details>
      )}
    </>
  )
}

function ExportNames({ exports }: Pick<FailureCauseGroup, 'exports'>) {
  return (
    <ul className="min-w-0">
      {exports.map(({ id, name, paused, windows_left: left }) => (
        <li key={id} className="py-0.5 wrap-anywhere">
          <Link to="/exports/$id" params={{ id }} className="font-medium hover:underline">
            {name}
          </Link>{' '}
          <span className="text-xs text-ink-3">
            {left === 0 ? 'no window left' : `${counted(left, 'window')} left`}
            {paused && ', paused'}
          </span>
        </li>
      ))}
    </ul>
  )
}
