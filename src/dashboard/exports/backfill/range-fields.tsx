import { useState } from 'react'
import { windowAt, type Interval, type Window } from '../../../contract/interval.ts'
import { usePreferences, type Zone } from '../../format/preferences.ts'
import { Button } from '../../ui/controls/button.tsx'
import { SelectField, TextField } from '../../ui/controls/field.tsx'
import { fieldTime, isUtcHere, readFieldTime, zoneName } from '../../format/time.ts'

const day = 24 * 60 * 60_000
const presets = [
  { label: 'Last day', length: day },
  { label: 'Last 7 days', length: 7 * day },
  { label: 'Last 30 days', length: 30 * day },
] as const

/**
 * Holds the period that `RangeFields` edits. Until the user chooses another: that of the `holes`, windows that need a backfill,
 * oldest first, or without any, the newest whole windows of a day that have ended.
 */
export function useRange(interval: Interval, holes: readonly Window[] = []) {
  const preferences = usePreferences()
  const [openedAt] = useState(Date.now)
  const [zone, setZone] = useState<Zone>(preferences.zone)
  const last = (length: number) => {
    const end = windowAt(interval, openedAt).start
    return { start: fieldTime(windowAt(interval, end - length).start, zone), end: fieldTime(end, zone) }
  }
  const [oldest, newest] = [holes[0], holes.at(-1)]
  const ofHoles = oldest &&
    newest && { start: fieldTime(oldest.start, zone), end: fieldTime(newest.end, zone) }
  const [chosen, setTyped] = useState<{ start: string; end: string } | null>(null)
  /** The values of two `datetime-local` fields. */
  const typed = chosen ?? ofHoles ?? last(day)
  const [start, end] = [readFieldTime(typed.start, zone), readFieldTime(typed.end, zone)]
  return {
    openedAt,
    zone,
    typed,
    /** ISO 8601 in UTC; null while a field is incomplete. */
    start,
    end,
    /** The holes, if they are chosen. */
    holes: chosen === null && ofHoles ? holes : null,
    chooseHoles: ofHoles ? () => setTyped(null) : null,
    type: (part: Partial<typeof typed>) => setTyped({ ...typed, ...part }),
    /** Chooses the newest whole windows of this length (ms). */
    choose: (length: number) => setTyped(last(length)),
    changeZone: (next: Zone) => {
      setZone(next)
      if (chosen === null) return
      setTyped({
        start: start === null ? typed.start : fieldTime(Date.parse(start), next),
        end: end === null ? typed.end : fieldTime(Date.parse(end), next),
      })
    },
  }
}

/** Fields for the start and end of a period, in the local zone or in UTC. */
export function RangeFields({ range }: { range: ReturnType<typeof useRange> }) {
  const { zone, typed, type } = range
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {range.chooseHoles && <Button onClick={range.chooseHoles}>Missing, failed or short</Button>}
        {presets.map(({ label, length }) => (
          <Button key={label} onClick={() => range.choose(length)}>
            {label}
          </Button>
        ))}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={`From, ${zoneName(zone)} time`}
          type="datetime-local"
          value={typed.start}
          onChange={(event) => type({ start: event.target.value })}
        />
        <TextField
          label={`To, ${zoneName(zone)} time`}
          type="datetime-local"
          value={typed.end}
          onChange={(event) => type({ end: event.target.value })}
        />
      </div>
      {!isUtcHere() && (
        <SelectField
          label="Time zone"
          value={zone}
          onChange={(event) => range.changeZone(event.target.value === 'utc' ? 'utc' : 'local')}
        >
          <option value="local">{zoneName('local')}</option>
          <option value="utc">UTC</option>
        </SelectField>
      )}
    </>
  )
}
