import type { PersonRecording } from '../../../contract/recordings/person.ts'
import type { Zone } from '../../format/preferences.ts'
import { fieldTime, readFieldTime } from '../../format/time.ts'

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
 * Returns the days from the first recording to today, at least `daysMin`, each with its recordings, oldest first. `recordings` are
 * newest first.
 */
export function calendarOf(
  recordings: readonly PersonRecording[],
  zone: Zone,
  now: number,
  daysMin: number,
): CalendarDay[] {
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
