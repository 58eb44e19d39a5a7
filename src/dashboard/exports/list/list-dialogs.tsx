import type { ExportOverview } from '../../../contract/exports/overview.ts'
import type { Window } from '../../../contract/interval.ts'
import { PauseDialog } from '../pause/pause-dialog.tsx'
import { type OpenedDialog, namedExports, backfill } from './requests.ts'
import { useQueryClient } from '@tanstack/react-query'
import { BackfillDialog } from '../backfill/backfill-dialog.tsx'
import { RangeFields, useRange } from '../backfill/range-fields.tsx'
import { endedBackfillRange } from '../../../contract/runs/backfill-range.ts'
import { Form, FormActions } from '../../ui/controls/form.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { counted } from '../../format/amount.ts'
import { lazyNamed } from '../../ui/lazy-named.ts'

type BackfillPlan = ReturnType<typeof planBackfill<ExportOverview>>

const ExportCurl = lazyNamed(() => import('../curl/curl-dialogs.tsx'), 'ExportCurl')

type ListDialogsProps = { opened: OpenedDialog; rows: readonly ExportOverview[]; onClose: () => void }

/** Shows the list's dialogs; `rows`: the exports as they are now, since a toast can open a dialog for exports that have changed. */
export function ListDialogs({ opened: { kind, of }, rows, onClose }: ListDialogsProps) {
  const exports = of.map((row) => rows.find(({ id }) => id === row.id) ?? row)
  if (kind === 'pause') return <PauseDialog exports={exports} onClose={onClose} />
  if (kind === 'curl') return <ExportCurl rows={exports} onClose={onClose} />
  const [only] = exports
  if (exports.length === 1 && only) return <BackfillDialog batchExport={only} onClose={onClose} />
  return <BackfillMany rows={exports} onClose={onClose} />
}

/** Asks for a period, shows the number of runs for several exports together, and starts the runs. */
function BackfillMany({ rows, onClose }: { rows: readonly ExportOverview[]; onClose: () => void }) {
  const client = useQueryClient()
  // The shortest interval determines the end of the newest window.
  const range = useRange('every 5 minutes')
  const { start, end } = range
  const period =
    start !== null && end !== null && start < end ? { start: Date.parse(start), end: Date.parse(end) } : null
  const plan = period && planBackfill(rows, period, range.openedAt)
  const reason = periodReason(start, end) ?? (plan?.runs === 0 ? 'Nothing to run in this period.' : null)
  const submit = () => {
    if (!plan || !period || reason) return
    const backfilled = plan.parts.map(({ row }) => row)
    void backfill(client, backfilled, period)
    onClose()
  }
  return (
    <Dialog title={`Backfill ${namedExports(rows)}`} onClose={onClose}>
      <Form noValidate onSubmit={submit}>
        <RangeFields range={range} />
        <output aria-live="polite" className="block text-ink-2">
          {plan ? <PlanInWords plan={plan} /> : <span className="text-fail-ink">{reason}</span>}
        </output>
        <FormActions onCancel={onClose} reason={reason}>
          {plan && plan.runs > 0 ? `Start ${counted(plan.runs, 'run')}` : 'Start'}
        </FormActions>
      </Form>
    </Dialog>
  )
}

function periodReason(start: string | null, end: string | null): string | null {
  if (start === null || end === null) return 'Enter a start and an end.'
  return start < end ? null : 'The start must be before the end.'
}

/**
 * Plans a backfill of a period, in milliseconds and without its end: for each export, the whole windows that overlap the
 * period and have ended at `now`. Exports without a backfill are skipped, with the reason.
 */
export function planBackfill<Row extends Pick<ExportOverview, 'interval'>>(
  rows: readonly Row[],
  period: Window,
  now: number,
) {
  const verdicts = rows.map((row) => ({ row, verdict: endedBackfillRange(period, row.interval, now) }))
  const parts = verdicts.flatMap(({ row, verdict }) => (verdict.ok ? { row, runs: verdict.runs } : []))
  const skipped = verdicts.flatMap(({ row, verdict }) => (verdict.ok ? [] : { row, why: verdict.detail }))
  return { parts, runs: parts.reduce((sum, { runs }) => sum + runs, 0), skipped }
}

/** Maximum number of skipped exports listed by name. */
const skippedShownMax = 5

function PlanInWords({ plan: { parts, runs, skipped } }: { plan: BackfillPlan }) {
  return (
    <>
      <p>
        {counted(runs, 'run')}
        {parts.length > 1 && ` of ${counted(parts.length, 'export')}`}: one for each window that has ended.
        Existing files are replaced, not duplicated.
      </p>
      {skipped.length > 0 && (
        <ul className="mt-2 list-disc pl-5">
          {skipped.slice(0, skippedShownMax).map(({ row, why }) => (
            <li key={row.id}>
              {row.name} is skipped: {why}
            </li>
          ))}
          {skipped.length > skippedShownMax && <li>{skipped.length - skippedShownMax} more are skipped.</li>}
        </ul>
      )}
    </>
  )
}
