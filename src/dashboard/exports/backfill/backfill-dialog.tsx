import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { backfillRange, type BackfillRange } from '../../../contract/runs/backfill-range.ts'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import type { BodyInput } from '../../../contract/endpoints.ts'
import { useAccount } from '../../account.ts'
import { usePreferences, type Zone } from '../../format/preferences.ts'
import { useBackfill } from '../../queries/exports/batch-exports.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { copyText } from '../../ui/feedback/toasts.ts'
import { sendLater } from '../../ui/feedback/send-action.ts'
import { WindowTime } from '../../ui/time.tsx'
import { counted } from '../../format/amount.ts'
import { readFieldTime } from '../../format/time.ts'
import { lastRange, movedRange, RangeFields } from './range-fields.tsx'
import { Form } from '../../ui/controls/form.tsx'

const day = 24 * 60 * 60_000

/** Asks for a range, shows the effect of its backfill, and starts the backfill unless undone. */
export function BackfillDialog({ batchExport, onClose }: { batchExport: BatchExport; onClose: () => void }) {
  const { projectId } = useAccount()
  const navigate = useNavigate()
  const preferences = usePreferences()
  const [openedAt] = useState(Date.now)
  const [zone, setZone] = useState<Zone>(preferences.zone)
  const [range, setRange] = useState(() => lastRange(batchExport.interval, day, zone, openedAt))
  const { mutateAsync } = useBackfill(projectId, batchExport.id)
  const body = { start_at: readFieldTime(range.start, zone), end_at: readFieldTime(range.end, zone) }
  const verdict = backfillRange(body, batchExport.interval, openedAt)
  const changeZone = (next: Zone) => {
    setZone(next)
    setRange(movedRange(range, zone, next))
  }
  const last = (length: number) => setRange(lastRange(batchExport.interval, length, zone, openedAt))
  const start = () => {
    const { start_at: startAt, end_at: endAt } = body
    if (startAt === null || endAt === null || !verdict.ok) return
    const what = `${counted(verdict.runs, 'window')} of ${batchExport.name}`
    onClose()
    void navigate({ to: '/exports/$id/backfills', params: { id: batchExport.id } })
    sendLater({
      verb: 'backfill',
      on: [batchExport.id],
      label: `Backfilling ${what}`,
      failed: `${what} could not be backfilled.`,
      send: () => mutateAsync({ start_at: startAt, end_at: endAt }),
      done: `The backfill of ${what} has started.`,
    })
  }
  return (
    <Dialog title={`Backfill ${batchExport.name}`} onClose={onClose}>
      <Form noValidate onSubmit={start}>
        <RangeFields range={range} zone={zone} onRange={setRange} onZone={changeZone} onLast={last} />
        <Verdict verdict={verdict} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            look="quiet"
            reason={verdict.ok ? null : inWords(verdict.detail)}
            onClick={() => void copyBackfill(batchExport, body)}
          >
            Copy as curl
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" reason={verdict.ok ? null : inWords(verdict.detail)}>
            Start backfill
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

async function copyBackfill({ id, team_id }: BatchExport, body: BodyInput<'backfillBatchExport'>) {
  const { curlCommand } = await import('../curl/curl-command.ts')
  const params = { project_id: String(team_id), id }
  await copyText(curlCommand('backfillBatchExport', { params, body }), 'Copied as curl.')
}

function Verdict({ verdict }: { verdict: BackfillRange }) {
  return (
    <output aria-live="polite" className="block text-ink-2">
      {verdict.ok ? (
        <>
          {counted(verdict.runs, 'run')}, one per window:{' '}
          <WindowTime start={verdict.range.start} end={verdict.range.end} />. Existing files are replaced, not
          duplicated.
        </>
      ) : (
        <span className="text-fail-ink">{inWords(verdict.detail)}</span>
      )}
    </output>
  )
}

/** Rephrases the API's messages, which name parameters, for the two fields. */
function inWords(detail: string): string {
  if (detail.startsWith('Both ')) return 'Enter a start and an end.'
  if (detail.includes('happens after')) return 'The start must be before the end.'
  return detail
}
