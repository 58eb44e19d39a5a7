import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { backfillRange, type BackfillRange } from '../../../contract/backfill-range.ts'
import type { BatchExport } from '../../../contract/batch-export.ts'
import { useAccount } from '../../account.ts'
import { usePreferences, type Zone } from '../../words/preferences.ts'
import { useBackfill } from '../../queries/batch-exports.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { sendLater } from '../../ui/feedback/send-later.ts'
import { WindowTime } from '../../ui/time.tsx'
import { counted } from '../../words/amount.ts'
import { readFieldTime } from '../../words/time.ts'
import { lastRange, movedRange, RangeFields } from '../form/range-fields.tsx'

const day = 24 * 60 * 60_000

type BackfillDialogProps = { batchExport: BatchExport; onClose: () => void }

/** Asks for a range, says what a backfill of it would do, and starts it unless that is undone. */
export function BackfillDialog({ batchExport, onClose }: BackfillDialogProps) {
  const { projectId } = useAccount()
  const navigate = useNavigate()
  const preferences = usePreferences()
  const [openedAt] = useState(Date.now)
  const [zone, setZone] = useState<Zone>(preferences.zone)
  const [range, setRange] = useState(() => lastRange(batchExport.interval, day, zone, openedAt))
  const { mutateAsync } = useBackfill(projectId, batchExport.id)
  const body = { start_at: readFieldTime(range.start, zone), end_at: readFieldTime(range.end, zone) }
  const judged = backfillRange(body, batchExport.interval, openedAt)
  const changeZone = (next: Zone) => {
    setZone(next)
    setRange(movedRange(range, zone, next))
  }
  const last = (length: number) => setRange(lastRange(batchExport.interval, length, zone, openedAt))
  const start = () => {
    const { start_at: startAt, end_at: endAt } = body
    if (startAt === null || endAt === null || !judged.ok) return
    const what = `${counted(judged.runs, 'window')} of ${batchExport.name}`
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
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          start()
        }}
      >
        <RangeFields range={range} zone={zone} onRange={setRange} onZone={changeZone} onLast={last} />
        <Verdict judged={judged} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" reason={judged.ok ? null : inWords(judged.detail)}>
            Start backfill
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Verdict({ judged }: { judged: BackfillRange }) {
  return (
    <output aria-live="polite" className="block text-ink-2">
      {judged.ok ? (
        <>
          {counted(judged.runs, 'run')}, one per window:{' '}
          <WindowTime start={judged.range.start} end={judged.range.end} />. A file that is already there is
          replaced, not doubled.
        </>
      ) : (
        <span className="text-fail-ink">{inWords(judged.detail)}</span>
      )}
    </output>
  )
}

/** The API speaks of its parameters; here they are two fields. */
function inWords(detail: string): string {
  if (detail.startsWith('Both ')) return 'Say from when and to when.'
  if (detail.includes('happens after')) return 'It must begin before it ends.'
  return detail
}
