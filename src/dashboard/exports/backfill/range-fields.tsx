import { windowAt, type Interval } from '../../../contract/interval.ts'
import type { Zone } from '../../format/preferences.ts'
import { Button } from '../../ui/controls/button.tsx'
import { SelectField, TextField } from '../../ui/controls/field.tsx'
import { fieldTime, isUtcHere, readFieldTime, zoneName } from '../../format/time.ts'

const day = 24 * 60 * 60_000
const presets = [
  { label: 'Last day', length: day },
  { label: 'Last 7 days', length: 7 * day },
  { label: 'Last 30 days', length: 30 * day },
] as const

/** The values of two `datetime-local` fields. */
export type Range = { start: string; end: string }
type RangeFieldsProps = {
  range: Range
  zone: Zone
  onRange: (range: Range) => void
  onZone: (zone: Zone) => void
  /** Chooses the newest whole windows of this length (ms). */
  onLast: (length: number) => void
}

/** Fields for the start and end of a period, in the local zone or in UTC. */
export function RangeFields({ range, zone, onRange, onZone, onLast }: RangeFieldsProps) {
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
      {!isUtcHere() && (
        <SelectField
          label="Time zone"
          value={zone}
          onChange={(event) => onZone(event.target.value === 'utc' ? 'utc' : 'local')}
        >
          <option value="local">{zoneName('local')}</option>
          <option value="utc">UTC</option>
        </SelectField>
      )}
    </>
  )
}

/** Returns the range of the newest whole windows that have ended; `length` in milliseconds. */
export function lastRange(interval: Interval, length: number, zone: Zone, now: number): Range {
  const end = windowAt(interval, now).start
  return { start: fieldTime(windowAt(interval, end - length).start, zone), end: fieldTime(end, zone) }
}

/** Converts a range to another zone. */
export function movedRange({ start, end }: Range, from: Zone, to: Zone): Range {
  return { start: moved(start, from, to), end: moved(end, from, to) }
}

function moved(text: string, from: Zone, to: Zone): string {
  const instant = readFieldTime(text, from)
  return instant === null ? text : fieldTime(Date.parse(instant), to)
}
