import { useFormContext, useWatch } from 'react-hook-form'
import { beginSchedule, moveSchedule, nextWindows, scheduleOf } from '../../../contract/exports/schedule.ts'
import { intervals, type Window } from '../../../contract/interval.ts'
import { type Zone, usePreferences } from '../../format/preferences.ts'
import { SelectField, TextField } from '../../ui/controls/field.tsx'
import { everyInterval } from '../../format/interval.ts'
import { zoneName, windowInWords, readFieldTime } from '../../format/time.ts'
import type { ExportValues, Origin } from '../values/export-values.ts'
import { Section } from './section.tsx'
import { useField } from './use-field.ts'
import { RelativeTime, ShortTime, WindowTime } from '../../ui/time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { counted } from '../../format/amount.ts'
import { Panel } from '../query/panel.tsx'

type WhenSectionProps = {
  /** The zone of the fields' times. */
  zone: Zone
  edited: Origin | null
}

/** Fields for the interval, the start and the end. */
export function WhenSection({ zone, edited }: WhenSectionProps) {
  const field = useField()
  return (
    <Section step={3} title="When" aside={<OutlookPanel zone={zone} edited={edited} />}>
      <SelectField
        label="Interval"
        hint="Windows are aligned to UTC; weeks start on Monday. A run starts when its window ends."
        {...field('interval')}
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
          hint={edited ? 'Leave empty for no limit.' : 'Leave empty to start with the current window.'}
          {...field('start_at')}
        />
        <TextField
          label={`End, ${zoneName(zone)} time`}
          optional
          type="datetime-local"
          hint="Leave empty for no end."
          {...field('end_at')}
        />
      </div>
    </Section>
  )
}

/** Shows the effect of the schedule: the current window, and the next three. */
function OutlookPanel({ zone, edited }: { zone: Zone; edited: Origin | null }) {
  const { control } = useFormContext<ExportValues>()
  const [interval, start, end] = useWatch({ control, name: ['interval', 'start_at', 'end_at'] })
  const minute = useNow(wholeMinute)
  const schedule = { interval, start_at: readFieldTime(start, zone), end_at: readFieldTime(end, zone) }
  const outlook = scheduleOutlook(schedule, edited, minute, 3)
  const isPast = !edited && schedule.start_at !== null && Date.parse(schedule.start_at) < minute - hour
  return (
    <Panel title="Next windows">
      <div aria-live="polite" className="flex flex-col gap-2 text-ink-2">
        <p>
          <FirstWindow outlook={outlook} edited={edited} interval={interval} now={minute} />
        </p>
        {isPast && <p>Earlier windows need a backfill after the export is created.</p>}
      </div>
      {outlook.windows.length > 0 && <NextWindows windows={outlook.windows} now={minute} />}
    </Panel>
  )
}

const hour = 3_600_000

type ScheduleFields = Parameters<typeof scheduleOf>[0]

/**
 * Returns the effect of saving a schedule. A new schedule begins with the window that contains `now`, or at its later
 * start. An edited one continues, so its first window may be shorter, up to the next boundary of the interval.
 */
export function scheduleOutlook(
  fields: ScheduleFields,
  before: Omit<ScheduleFields, 'end_at'> | null,
  now: number,
  amount: number,
) {
  const schedule = scheduleOf(fields)
  const cursor = before
    ? moveSchedule(beginSchedule(scheduleOf({ ...before, end_at: null }), now), schedule, now)
    : beginSchedule(schedule, now)
  const passed = nextWindows(schedule, cursor, now, Infinity)
  return {
    /** The coming windows, oldest first, up to the end. */
    windows: nextWindows(schedule, passed.at(-1)?.end ?? cursor, Infinity, amount),
    /** Windows of a shorter new interval that have already ended; they are exported at once. */
    behind: passed.length > 0 ? { windows: passed.length, since: cursor } : null,
  }
}

type FirstWindowProps = {
  outlook: ReturnType<typeof scheduleOutlook>
  edited: Origin | null
  interval: ExportValues['interval']
  now: number
}

/** Describes how the current window is exported, or when the first window begins. */
function FirstWindow({ outlook, edited, interval, now }: FirstWindowProps) {
  const { windows, behind } = outlook
  const [first] = windows
  if (edited?.paused)
    return 'The export is paused. These windows are skipped unless it is unpaused before they end.'
  if (behind)
    return (
      <>
        {counted(behind.windows, 'window')} of this interval {behind.windows === 1 ? 'has' : 'have'} ended
        since <ShortTime time={behind.since} />, and will be exported when you save.
      </>
    )
  if (!first) return 'The export ends before its next window ends. Nothing will be exported.'
  if (first.start > now)
    return (
      <>
        The first window begins <RelativeTime time={first.start} />.
      </>
    )
  if (edited && edited.interval !== interval)
    return (
      <>
        The current window began at <ShortTime time={first.start} />. It is the first with the new interval,
        and may be shorter.
      </>
    )
  return (
    <>
      {edited
        ? 'The current window is exported with these settings'
        : 'The first window is the current one. It is exported'}{' '}
      when it ends, <RelativeTime time={first.end} />.
    </>
  )
}

function NextWindows({ windows, now }: { windows: readonly Window[]; now: number }) {
  const { zone } = usePreferences()
  const isUtc = windows.every(
    (window) => windowInWords(window, 'local', now) === windowInWords(window, 'utc', now),
  )
  const other: Zone = zone === 'utc' ? 'local' : 'utc'
  const cell = 'border-t border-line py-1.5 pr-4 last:pr-0'
  return (
    <table className="w-full border-collapse text-left">
      <caption className="sr-only">The next windows</caption>
      <thead>
        <tr className="text-xs text-ink-3">
          <th scope="col" className="py-1 pr-4 font-medium">
            {zoneName(zone)} time
          </th>
          {!isUtc && (
            <th scope="col" className="py-1 pr-4 font-medium">
              {zoneName(other)}
              {other === 'local' && ' time'}
            </th>
          )}
          <th scope="col" className="py-1 font-medium">
            Exported
          </th>
        </tr>
      </thead>
      <tbody>
        {windows.map((window) => (
          <tr key={window.start} className="*:align-top">
            <td className={cell}>
              <WindowTime {...window} />
            </td>
            {!isUtc && <td className={`${cell} text-ink-2`}>{windowInWords(window, other, now)}</td>}
            <td className={`${cell} text-ink-2`}>
              <RelativeTime time={window.end} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function wholeMinute(now: number): number {
  return now - (now % 60_000)
}
