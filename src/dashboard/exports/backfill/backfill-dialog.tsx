import { useState } from 'react'
import { backfillRange } from '../../../contract/runs/backfill-range.ts'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import type { BodyInput } from '../../../contract/endpoints.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { copyText } from '../../ui/feedback/toasts.ts'
import { sendLater } from '../../ui/feedback/send-action.ts'
import { WindowTime } from '../../ui/time.tsx'
import { counted } from '../../format/amount.ts'
import { useRecentWindows } from '../grid/use-period.ts'
import { gapStates, mergeWindows } from '../grid/window-selection.ts'
import { useBackfillRanges } from '../../queries/exports/coverage.ts'
import { RangeFields, useRange } from './range-fields.tsx'
import { Form } from '../../ui/controls/form.tsx'

type Backfilled = Pick<BatchExport, 'id' | 'name' | 'interval' | 'team_id'>

type BackfillDialogProps = { batchExport: Backfilled; onClose: () => void; onStart?: () => void }

/** Asks for a range, shows the effect of its backfill, and starts the backfill unless undone. */
export function BackfillDialog({ batchExport, onClose, onStart }: BackfillDialogProps) {
  const { windows = [], isPending } = useRecentWindows(batchExport)
  /** The windows that need a backfill, as they were when first known. */
  const [gaps, setGaps] = useState<typeof windows | null>(null)
  if (gaps === null && !isPending) setGaps(windows.filter(({ state }) => gapStates.has(state)))
  const range = useRange(batchExport.interval, gaps ?? [])
  const fill = useBackfillRanges(String(batchExport.team_id), batchExport.id)
  const body = { start_at: range.start, end_at: range.end }
  const verdict = backfillRange(body, batchExport.interval, range.openedAt)
  const finding = gaps === null ? 'Finding the windows that are missing, failed or short.' : null
  const reason = finding ?? (verdict.ok ? null : inWords(verdict.detail))
  const holes = range.holes && mergeWindows(range.holes)
  const runs = range.holes?.length ?? (verdict.ok ? verdict.runs : 0)
  const start = () => {
    const { start_at: startAt, end_at: endAt } = body
    if (startAt === null || endAt === null || reason !== null) return
    const what = `${counted(runs, 'window')} of ${batchExport.name}`
    onClose()
    onStart?.()
    sendLater({
      verb: 'backfill',
      on: [batchExport.id],
      label: `Backfilling ${what}`,
      failed: `${what} could not be backfilled.`,
      send: () => fill(holes ?? [{ start: Date.parse(startAt), end: Date.parse(endAt) }]),
      done: `The backfill of ${what} has started.`,
    })
  }
  return (
    <Dialog title={`Backfill ${batchExport.name}`} onClose={onClose}>
      <Form noValidate onSubmit={start}>
        <RangeFields range={range} />
        <output aria-live="polite" className="block text-ink-2">
          {verdict.ok && reason === null ? (
            <>
              {counted(runs, 'run')}, one per window{holes && ' that is missing, failed or short'}:{' '}
              <WindowTime {...verdict.range} />. Existing files are replaced, not duplicated.
            </>
          ) : (
            <span className={finding ? '' : 'text-fail-ink'}>{reason}</span>
          )}
        </output>
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            look="quiet"
            reason={reason ?? (holes && holes.length > 1 ? notAdjacent : null)}
            onClick={() => void copyBackfill(batchExport, body)}
          >
            Copy as curl
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" reason={reason}>
            Start backfill
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

const notAdjacent = 'These windows are not adjacent: a request backfills one range.'

async function copyBackfill({ id, team_id }: Backfilled, body: BodyInput<'backfillBatchExport'>) {
  const { curlCommand } = await import('../curl/curl-command.ts')
  const params = { project_id: String(team_id), id }
  await copyText(curlCommand('backfillBatchExport', { params, body }), 'Copied as curl.')
}

/** Rephrases the API's messages, which name parameters, for the two fields. */
function inWords(detail: string): string {
  if (detail.startsWith('Both ')) return 'Enter a start and an end.'
  if (detail.includes('happens after')) return 'The start must be before the end.'
  return detail
}
