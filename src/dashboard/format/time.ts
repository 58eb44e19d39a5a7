import type { Zone } from './preferences.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Returns a zone's display name: `UTC`, or the browser's own such as `Berlin`. */
export function zoneName(zone: Zone): string {
  if (zone === 'utc') return 'UTC'
  const name = formatter(zone, {}).resolvedOptions().timeZone
  return (name.split('/').at(-1) ?? name).replaceAll('_', ' ')
}

/** Whether the browser's zone is UTC, which leaves no choice of zone. */
export function isUtcHere(): boolean {
  return zoneName('local') === zoneName('utc')
}

/** Formats a time relative to now, in whole units: `in 12 min`, `3 h ago`, `just now`. */
export function relativeTime(time: number, now: number): string {
  const distance = Math.abs(time - now)
  // `now` is updated once per second, so an event of the last second may seem to be in the future.
  if (distance < 5 * second) return time > now + second ? 'in a moment' : 'just now'
  return time > now ? `in ${roughly(distance)}` : `${roughly(distance)} ago`
}

function roughly(ms: number): string {
  if (ms < minute) return `${Math.round(ms / second)} s`
  if (ms < 100 * minute) return `${Math.round(ms / minute)} min`
  if (ms < 36 * hour) return `${Math.round(ms / hour)} h`
  return `${Math.round(ms / day)} d`
}

/** Formats a duration: `850 ms`, `3.2 s`, `41 s`, `3 min 4 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  if (ms < second) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 10 * second) return `${(ms / second).toFixed(1)} s`
  if (ms < minute) return `${Math.round(ms / second)} s`
  if (ms < hour) return `${Math.floor(ms / minute)} min ${Math.floor((ms % minute) / second)} s`
  if (ms < 2 * day) return `${Math.floor(ms / hour)} h ${Math.floor((ms % hour) / minute)} min`
  return `${Math.round(ms / day)} d`
}

/** Formats a time to the second with its zone: `Sat, 21 Nov 2026, 08:00:05 UTC`. */
export function exactTime(time: number, zone: Zone): string {
  return formatter(zone, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }).format(time)
}

/** Formats a time for log lines: `21 Nov 08:00:05`. */
export function logTime(time: number, zone: Zone): string {
  const day = formatter(zone, { day: '2-digit', month: 'short' }).format(time)
  return `${day} ${formatter(zone, { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(time)}`
}

/** Formats a time to the minute without its zone: `Sat 21 Nov, 08:00`; adds the year if it is not the current one. */
export function shortTime(time: number, zone: Zone, now: number): string {
  return `${dayName(time, zone, now)}, ${timeOfDay(time, zone)}`
}

/** Formats a time as briefly as possible: `09:00` today, else `16 Nov`, or `16 Nov 2025` in another year. */
export function briefTime(time: number, zone: Zone, now: number): string {
  const day = dayName(time, zone, now)
  return day === dayName(now, zone, now) ? timeOfDay(time, zone) : day.replace(/^\w+ /, '')
}

/** Returns the midnight at which the day of a time began. */
export function dayStart(time: number, zone: Zone): number {
  const day = new Date(time)
  return zone === 'utc' ? day.setUTCHours(0, 0, 0, 0) : day.setHours(0, 0, 0, 0)
}

/** Returns the midnights in a period with their names: `Sat 21`. */
export function midnights({ start, end }: { start: number; end: number }, zone: Zone) {
  const day = new Date(start - 1)
  const next = () => (zone === 'utc' ? day.setUTCHours(24, 0, 0, 0) : day.setHours(24, 0, 0, 0))
  const found: { time: number; name: string }[] = []
  for (let time = next(); time < end; time = next())
    found.push({ time, name: formatter(zone, { weekday: 'short', day: 'numeric' }).format(time) })
  return found
}

/**
 * Formats a window: `Sat 21 Nov, 08:00 – 09:00`. Whole days have no times; UTC days in another zone have their common time
 * once: `Sat 21 – Sun 22 Nov, 01:00`.
 */
export function windowInWords(window: { start: number; end: number }, zone: Zone, now: number): string {
  const { start, end } = window
  const wholeDays = [start, end].every((time) => timeOfDay(time, zone) === '00:00')
  if (wholeDays) {
    const first = dayName(start, zone, now)
    const last = dayName(end - 1, zone, now)
    return first === last ? first : `${first} – ${last}`
  }
  const [from, until] = [shortTime(start, zone, now), shortTime(end, zone, now)]
  const sameDay = dayName(start, zone, now) === dayName(end - 1, zone, now)
  if (sameDay) return `${from} – ${timeOfDay(end, zone)}`
  if (start % day !== 0 || end % day !== 0) return `${from} – ${until}`
  // What follows the day is left out of the start if it is the same: month and time, or the time.
  const [, month = '', time = ''] = /^\w+ \d+(.*)(,.*)$/.exec(until) ?? []
  const common = [month + time, time].find((text) => from.endsWith(text)) ?? ''
  return `${from.slice(0, from.length - common.length)} – ${until}`
}

/** Formats a time in the zone for a `datetime-local` field: `2026-11-21T08:00`. */
export function fieldTime(time: number, zone: Zone): string {
  const date = new Date(zone === 'utc' ? time : time - new Date(time).getTimezoneOffset() * minute)
  return date.toISOString().slice(0, 16)
}

/** Parses a `datetime-local` field in the zone to ISO 8601 in UTC; null if it is empty or incomplete. */
export function readFieldTime(text: string, zone: Zone): string | null {
  const time = Date.parse(zone === 'utc' ? `${text}Z` : text)
  return text === '' || Number.isNaN(time) ? null : new Date(time).toISOString().replace('.000Z', 'Z')
}

function dayName(time: number, zone: Zone, now: number): string {
  const year = formatter(zone, { year: 'numeric' })
  const otherYear = year.format(time) !== year.format(now)
  const day = formatter(zone, { weekday: 'short', day: 'numeric', month: 'short' }).format(time)
  return `${day.replace(',', '')}${otherYear ? ` ${year.format(time)}` : ''}`
}

function timeOfDay(time: number, zone: Zone): string {
  return formatter(zone, { hour: '2-digit', minute: '2-digit' }).format(time)
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(zone: Zone, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = zone + JSON.stringify(options)
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    ...options,
    hourCycle: 'h23',
    ...(zone === 'utc' ? { timeZone: 'UTC' } : {}),
  })
  formatters.set(key, made)
  return made
}
