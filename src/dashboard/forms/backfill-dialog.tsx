import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { backfillRange, type BackfillRange } from '../../contract/backfill-range.ts'
import type { BatchExport } from '../../contract/batch-export.ts'
import { windowAt } from '../../contract/interval.ts'
import { useAccount } from '../account.ts'
import { usePreferences, type Zone } from '../preferences.ts'
import { useBackfill } from '../queries/batch-exports.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { WindowTime } from '../ui/time.tsx'
import { toast } from '../ui/toasts.ts'
import { counted } from '../words/amount.ts'
import { fieldTime, readFieldTime, zoneName } from '../words/time.ts'

const day = 24 * 60 * 60_000
const presets = [
  { label: 'Last day', length: day },
  { label: 'Last 7 days', length: 7 * day },
  { label: 'Last 30 days', length: 30 * day },
] as const

type BackfillDialogProps = { batchExport: BatchExport; onClose: () => void }

/** Asks for a range, says what a backfill of it would do, and starts it. */
export function BackfillDialog({ batchExport, onClose }: BackfillDialogProps) {
  const { projectId } = useAccount()
  const navigate = useNavigate()
  const preferences = usePreferences()
  const [openedAt] = useState(Date.now)
  const [zone, setZone] = useState<Zone>(preferences.zone)
  const [range, setRange] = useState(() => lastRange(batchExport, day, zone, openedAt))
  const backfill = useBackfill(projectId, batchExport.id)
  const body = { start_at: readFieldTime(range.start, zone), end_at: readFieldTime(range.end, zone) }
  const judged = backfillRange(body, batchExport.interval, openedAt)
  const changeZone = (next: Zone) => {
    setZone(next)
    setRange({ start: moved(range.start, zone, next), end: moved(range.end, zone, next) })
  }
  const last = (length: number) => setRange(lastRange(batchExport, length, zone, openedAt))
  const start = () => {
    const { start_at: startAt, end_at: endAt } = body
    if (startAt === null || endAt === null || !judged.ok) return
    backfill.mutate(
      { start_at: startAt, end_at: endAt },
      {
        onSuccess: () => {
          toast(`Backfilling ${counted(judged.runs, 'window')} of ${batchExport.name}.`)
          onClose()
          void navigate({ to: '/exports/$id/backfills', params: { id: batchExport.id } })
        },
      },
    )
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
        {backfill.error && <ProblemNote error={backfill.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            busy={backfill.isPending}
            reason={judged.ok ? null : inWords(judged.detail)}
          >
            Start backfill
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type Range = { start: string; end: string }
type RangeFieldsProps = {
  range: Range
  zone: Zone
  onRange: (range: Range) => void
  onZone: (zone: Zone) => void
  /** Chooses the newest whole windows of so many milliseconds. */
  onLast: (length: number) => void
}

function RangeFields({ range, zone, onRange, onZone, onLast }: RangeFieldsProps) {
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {presets.map(({ label, length }) => (
          <Button key={label} onClick={() => onLast(length)}>
            {label}
          </Button>
        ))}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={`From, ${zoneName(zone)} time`}
          type="datetime-local"
          value={range.start}
          onChange={(event) => onRange({ ...range, start: event.target.value })}
        />
        <TextField
          label={`To, ${zoneName(zone)} time`}
          type="datetime-local"
          value={range.end}
          onChange={(event) => onRange({ ...range, end: event.target.value })}
        />
      </div>
      <SelectField
        label="Time zone"
        value={zone}
        onChange={(event) => onZone(event.target.value === 'utc' ? 'utc' : 'local')}
      >
        <option value="local">{zoneName('local')}</option>
        <option value="utc">UTC</option>
      </SelectField>
    </>
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

/** The whole windows that end with the newest one that has passed. */
function lastRange({ interval }: BatchExport, length: number, zone: Zone, now: number): Range {
  const end = windowAt(interval, now).start
  return { start: fieldTime(windowAt(interval, end - length).start, zone), end: fieldTime(end, zone) }
}

function moved(text: string, from: Zone, to: Zone): string {
  const instant = readFieldTime(text, from)
  return instant === null ? text : fieldTime(Date.parse(instant), to)
}

/** The API speaks of its parameters; here they are two fields. */
function inWords(detail: string): string {
  if (detail.startsWith('Both ')) return 'Say from when and to when.'
  if (detail.includes('happens after')) return 'It must begin before it ends.'
  return detail
}
