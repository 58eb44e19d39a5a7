import { useFormContext } from 'react-hook-form'
import { intervals } from '../../contract/interval.ts'
import { usePreferences, type Zone } from '../preferences.ts'
import { SelectField, TextField } from '../ui/field.tsx'
import { RelativeTime, WindowTime } from '../ui/time.tsx'
import { useOfNow } from '../ui/use-of-now.ts'
import { comingWindows, everyInterval } from '../words/interval.ts'
import { readFieldTime, zoneName } from '../words/time.ts'
import type { ExportValues } from './export-values.ts'
import { Section } from './section.tsx'

/** When it runs, and between which days. */
export function WhenSection({ isNew, zone }: { isNew: boolean; zone: Zone }) {
  const { register, formState } = useFormContext<ExportValues>()
  const { errors } = formState
  return (
    <Section title="When">
      <SelectField
        label="Interval"
        hint="Windows are aligned to UTC; weeks start on Monday. A run starts when its window has passed."
        error={errors.interval?.message}
        {...register('interval')}
      >
        {intervals.map((interval) => (
          <option key={interval} value={interval}>
            {everyInterval(interval)}
          </option>
        ))}
      </SelectField>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={`Start, ${zoneName(zone)} time`}
          optional
          type="datetime-local"
          hint={isNew ? 'Empty: with the window that holds this moment.' : undefined}
          error={errors.start_at?.message}
          {...register('start_at')}
        />
        <TextField
          label={`End, ${zoneName(zone)} time`}
          optional
          type="datetime-local"
          error={errors.end_at?.message}
          {...register('end_at')}
        />
      </div>
      <NextWindows zone={zone} />
    </Section>
  )
}

function NextWindows({ zone }: { zone: Zone }) {
  const { watch } = useFormContext<ExportValues>()
  const shown = usePreferences().zone
  const minute = useOfNow(wholeMinute)
  const [interval, start, end] = watch(['interval', 'start_at', 'end_at'])
  const schedule = { interval, start_at: readFieldTime(start, zone), end_at: readFieldTime(end, zone) }
  const windows = comingWindows(schedule, minute, 3)
  if (windows.length === 0) return <p className="text-short-ink">It ends before its next window begins.</p>
  return (
    <div className="text-ink-2">
      <p>Next windows, {zoneName(shown)} time:</p>
      <ol className="list-decimal pl-5">
        {windows.map((window) => (
          <li key={window.start}>
            <WindowTime {...window} />, exported <RelativeTime time={window.end} />
          </li>
        ))}
      </ol>
    </div>
  )
}

function wholeMinute(now: number): number {
  return now - (now % 60_000)
}
