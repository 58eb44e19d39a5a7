import { useState } from 'react'
import type { ExportOverview } from '../../../contract/exports/overview.ts'
import { PauseDialog } from '../pause/pause-dialog.tsx'
import { type OpenedDialog, namedExports, backfill } from './requests.ts'
import { useQueryClient } from '@tanstack/react-query'
import { lastRange, movedRange, RangeFields } from '../backfill/range-fields.tsx'
import { usePreferences, type Zone } from '../../format/preferences.ts'
import { Form, FormActions } from '../../ui/controls/form.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { counted } from '../../format/amount.ts'
import { readFieldTime } from '../../format/time.ts'
import { planBackfill, type BackfillPlan } from './backfill-plan.ts'
import { lazyNamed } from '../../ui/lazy-named.ts'

const ExportCurl = lazyNamed(() => import('../curl/curl-dialogs.tsx'), 'ExportCurl')

type ListDialogsProps = { opened: OpenedDialog; rows: readonly ExportOverview[]; onClose: () => void }

/** Shows the list's dialogs; `rows`: the exports as they are now, since a toast can open a dialog for exports that have changed. */
export function ListDialogs({ opened: { kind, of }, rows, onClose }: ListDialogsProps) {
  const exports = of.map((row) => rows.find(({ id }) => id === row.id) ?? row)
  if (kind === 'pause') return <PauseDialog exports={exports} onClose={onClose} />
  if (kind === 'curl') return <ExportCurl rows={exports} onClose={onClose} />
  return <BackfillMany rows={exports} onClose={onClose} />
}

const day = 24 * 60 * 60_000

/** Asks for a period, shows the number of runs for all exports together, and starts the runs. */
function BackfillMany({ rows, onClose }: { rows: readonly ExportOverview[]; onClose: () => void }) {
  const client = useQueryClient()
  const preferences = usePreferences()
  const [openedAt] = useState(Date.now)
  const [zone, setZone] = useState<Zone>(preferences.zone)
  // For several exports, the shortest interval determines the end of the newest window.
  const last = (length: number) =>
    lastRange(rows.length === 1 && rows[0] ? rows[0].interval : 'every 5 minutes', length, zone, openedAt)
  const [range, setRange] = useState(() => last(day))
  const start = readFieldTime(range.start, zone)
  const end = readFieldTime(range.end, zone)
  const period =
    start !== null && end !== null && start < end ? { start: Date.parse(start), end: Date.parse(end) } : null
  const plan = period && planBackfill(rows, period, openedAt)
  const reason = periodReason(start, end) ?? (plan?.runs === 0 ? 'Nothing to run in this period.' : null)
  const submit = () => {
    if (!plan || !period || reason) return
    backfill(client, plan.parts, period)
    onClose()
  }
  return (
    <Dialog title={`Backfill ${namedExports(rows)}`} onClose={onClose}>
      <Form noValidate onSubmit={submit}>
        <RangeFields
          range={range}
          zone={zone}
          onRange={setRange}
          onZone={(next) => {
            setZone(next)
            setRange(movedRange(range, zone, next))
          }}
          onLast={(length) => setRange(last(length))}
        />
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

/** Maximum number of skipped exports listed by name. */
const skippedShownMax = 5

function PlanInWords({ plan: { parts, runs, skipped } }: { plan: BackfillPlan<ExportOverview> }) {
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
