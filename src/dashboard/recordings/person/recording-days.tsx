import { useQuery } from '@tanstack/react-query'
import { useState, type KeyboardEvent } from 'react'
import type { PersonRecording } from '../../../contract/recordings/person.ts'
import { useAccount } from '../../account.ts'
import { endpointQuery } from '../../queries/endpoint-query.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ListProblem } from '../../ui/list/list-notes.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { counted } from '../../format/amount.ts'
import { usePreferences, type Zone } from '../../format/preferences.ts'
import { windowInWords, fieldTime, readFieldTime } from '../../format/time.ts'

type RecordingDaysProps = {
  id: string
  /** The chosen day. */
  day: string | undefined
  onDay: (day: string | undefined) => void
}

/** Smallest and largest width (px) of a day with its gap. */
const pitchMin = 14
const pitchMax = 26
/** Recordings drawn per day. */
const drawnMax = 5

/** A person's recordings by day: one block for each recording; a day filters the list below. */
export function RecordingDays({ id, day, onDay }: RecordingDaysProps) {
  const { projectId } = useAccount()
  const params = { project_id: projectId, person_id: id }
  const { data, error, refetch } = useQuery(endpointQuery('recordingsOfPerson', { params }))
  return (
    <section aria-label="Recordings by day" className="mt-4">
      <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-3">
        <h2 className="text-base text-ink">Recordings by day</h2>
        <Legend />
        {data?.truncated && <span>The newest 2,000 recordings.</span>}
        {day !== undefined && (
          <Button look="quiet" onClick={() => onDay(undefined)}>
            Show all days
          </Button>
        )}
      </div>
      {error ? (
        <ListProblem error={error} onRetry={() => void refetch()} />
      ) : (
        <Calendar recordings={data?.results ?? []} day={day} onDay={onDay} />
      )}
    </section>
  )
}

type CalendarProps = Pick<RecordingDaysProps, 'day' | 'onDay'> & { recordings: readonly PersonRecording[] }

function Calendar({ recordings, day, onDay }: CalendarProps) {
  const [width, ref] = useWidth()
  const { zone } = usePreferences()
  const [now] = useState(Date.now)
  const days = calendarOf(recordings, zone, now, Math.floor(width / pitchMax))
  const pitch = Math.max(width / days.length, pitchMin)
  const drawn = Math.min(Math.max(...days.map((each) => each.recordings.length)), drawnMax)
  const height = Math.max(24, drawn * 9)
  const visited = days.filter((each) => each.recordings.length > 0)
  const stop = visited.find(({ date }) => date === day) ?? visited.at(-1)
  return (
    <div ref={ref}>
      <div key={pitch} ref={scrollToEnd} className="overflow-x-auto pt-1 pb-0.5">
        <fieldset
          aria-label="Days with recordings"
          className="flex"
          style={{ width: days.length * pitch, height: height + 18 }}
        >
          {days.map((each) => (
            <Day
              key={each.date}
              day={each}
              width={pitch}
              height={height}
              words={inWords(each, zone, now)}
              pressed={each.date === day}
              isStop={each === stop}
              onPress={() => onDay(each.date === day ? undefined : each.date)}
            />
          ))}
        </fieldset>
      </div>
    </div>
  )
}

function scrollToEnd(element: HTMLElement | null): void {
  if (element) element.scrollLeft = element.scrollWidth
}

type DayProps = {
  day: CalendarDay
  width: number
  height: number
  words: string
  pressed: boolean
  /** Whether Tab moves to this day; arrow keys move to the others. */
  isStop: boolean
  onPress: () => void
}

function Day({ day: { date, recordings }, width, height, words, pressed, isStop, onPress }: DayProps) {
  const isMonday = new Date(date).getUTCDay() === 1
  return (
    <span className="relative shrink-0" style={{ width }}>
      {recordings.length === 0 ? (
        <span aria-hidden="true" title={words} style={{ height }} className="flex items-end px-0.5">
          <span className="h-[3px] w-full bg-idle" />
        </span>
      ) : (
        <button
          type="button"
          aria-pressed={pressed}
          aria-label={words}
          title={words}
          tabIndex={isStop ? 0 : -1}
          onClick={onPress}
          onKeyDown={moveFocus}
          style={{ height }}
          className="flex w-full flex-col-reverse gap-0.5 rounded-sm px-0.5 hover:bg-hover aria-pressed:bg-selected aria-pressed:outline-2 aria-pressed:outline-accent"
        >
          {drawnRecordings(recordings, drawnMax).map((kind, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- blocks without state
            <span key={index} className={`h-[7px] w-full shrink-0 ${blocks[kind]}`} />
          ))}
        </button>
      )}
      {isMonday && (
        <span
          aria-hidden="true"
          style={{ top: height }}
          className="absolute left-0.5 text-[11px] leading-4 whitespace-nowrap text-ink-3"
        >
          {dayAndMonth.format(Date.parse(date))}
        </span>
      )}
    </span>
  )
}

/** Each kind of recording has a shape besides its colour: full, outlined, notched. */
const blocks: Record<RecordingKind, string> = {
  completed: 'rounded-[2px] bg-ok',
  left: 'rounded-[2px] border-[1.5px] border-edge',
  failed: 'bg-fail [clip-path:polygon(0_0,60%_0,72%_45%,84%_0,100%_0,100%_100%,0_100%)]',
}

function Legend() {
  return (
    <span aria-hidden="true" className="flex gap-3">
      {Object.entries(blocks).map(([kind, block]) => (
        <span key={kind} className="flex items-center gap-1">
          <span className={`h-[7px] w-5 ${block}`} /> {kind === 'failed' ? 'with errors' : kind}
        </span>
      ))}
    </span>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const days = [...(event.currentTarget.closest('fieldset')?.querySelectorAll('button') ?? [])]
  const at = days.findIndex((day) => day === event.currentTarget)
  const targets: Partial<Record<string, number>> = {
    ArrowLeft: Math.max(at - 1, 0),
    ArrowRight: Math.min(at + 1, days.length - 1),
    Home: 0,
    End: days.length - 1,
  }
  const target = targets[event.key]
  if (target === undefined) return
  event.preventDefault()
  days[target]?.focus()
}

/** Describes a day: `Mon 2 Mar: 3 recordings, 1 with errors`. */
function inWords({ date, recordings }: CalendarDay, zone: Zone, now: number): string {
  const { date_from: from, date_to: to } = boundsOfDay(date, zone)
  const day = windowInWords({ start: Date.parse(from), end: Date.parse(to) }, zone, now)
  const failed = recordings.filter((recording) => kindOf(recording) === 'failed').length
  if (recordings.length === 0) return `${day}: no recordings`
  return `${day}: ${counted(recordings.length, 'recording')}${failed > 0 ? `, ${failed} with errors` : ''}`
}

const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

const day = 86_400_000
const daysMax = 366

/** Returns the day of a time in the zone, like `2026-01-31`. */
function dayOf(time: number, zone: Zone): string {
  return fieldTime(time, zone).slice(0, 10)
}

/** Returns the day that is `by` days later. */
export function laterDay(date: string, by: number): string {
  return new Date(Date.parse(date) + by * day).toISOString().slice(0, 10)
}

/** Returns the day's bounds as a filter of the recordings list. */
export function boundsOfDay(date: string, zone: Zone) {
  const startOf = (each: string) => readFieldTime(`${each}T00:00`, zone) ?? each
  return { date_from: startOf(date), date_to: startOf(laterDay(date, 1)) }
}

export type CalendarDay = { date: string; recordings: readonly PersonRecording[] }

/**
 * Returns the days from the first recording to today, at least `daysMin`, each with its recordings, oldest first.
 * `recordings` are newest first.
 */
export function calendarOf(recordings: readonly PersonRecording[], zone: Zone, now: number, daysMin: number) {
  const byDay = Map.groupBy(recordings.toReversed(), (recording) =>
    dayOf(Date.parse(recording.start_time), zone),
  )
  const today = dayOf(now, zone)
  const [oldest = today] = byDay.keys()
  const span = 1 + (Date.parse(today) - Date.parse(oldest)) / day
  const length = Math.min(Math.max(span, daysMin), daysMax)
  return Array.from({ length }, (_, index) => {
    const date = laterDay(today, index - length + 1)
    return { date, recordings: byDay.get(date) ?? [] }
  })
}

export type RecordingKind = 'completed' | 'left' | 'failed'

export function kindOf({ outcome, console_error_count: errors }: PersonRecording): RecordingKind {
  if (outcome === 'error' || errors > 0) return 'failed'
  return outcome === 'completed' ? 'completed' : 'left'
}

/** Returns up to `max` recordings to draw; of more, those with errors first. */
export function drawnRecordings(recordings: readonly PersonRecording[], max: number): RecordingKind[] {
  const kinds = recordings.map(kindOf)
  if (kinds.length <= max) return kinds
  const rank = { failed: 0, completed: 1, left: 2 }
  return kinds.toSorted((a, b) => rank[a] - rank[b]).slice(0, max)
}
