import {
  countWindows,
  intervalLength,
  touchedPeriod,
  windowAt,
  windowsBetween,
  type Interval,
  type Window,
} from '../../../contract/interval.ts'
import type { Zone } from '../../format/preferences.ts'

/** A window's position: its block (day, week or quarter), a line in that block, and a slot on that line. */
export type Place = { block: number; line: number; slot: number }

/**
 * Windows as a calendar. In `rows`, each block is a row and its lines run to the right. In `columns`, blocks are side by side,
 * their lines run down, and the slots of a line run to the right.
 */
export type Arrangement = {
  flow: 'rows' | 'columns'
  /** One per window, in window order. */
  places: readonly Place[]
  /** The label of each block; empty for none. */
  blocks: readonly string[]
  lines: readonly string[]
  slots: number
  /** Returns the index of the window at a place. */
  indexAt: (place: Place) => number | undefined
}

const minute = 60_000
const day = 24 * 60 * minute
/** Days and weeks shown as rows; more than this become columns. */
const dayRowsMax = 32
const weekRowsMax = 9

/** Arranges adjoining windows, oldest first. Windows shorter than a day follow the zone's days and hours, others follow UTC. */
export function arrangeWindows(interval: Interval, windows: readonly Window[], zone: Zone): Arrangement {
  const parts =
    interval === 'week'
      ? quarters(windows)
      : interval === 'day'
        ? weeks(windows)
        : days(interval, windows, zone)
  // Needed only once somebody uses the grid.
  let indexes: Map<number, number> | undefined
  const indexAt = (place: Place) => {
    indexes ??= new Map(parts.places.map((each, index) => [keyOf(each), index]))
    return indexes.get(keyOf(place))
  }
  return { ...parts, indexAt }
}

type Parts = Omit<Arrangement, 'indexAt'>

function keyOf({ block, line, slot }: Place): number {
  return (block * 64 + line) * 64 + slot
}

/** The hour repeated when summer time ends gets a second line; the hour skipped when it begins leaves its place empty. */
function days(interval: Interval, windows: readonly Window[], zone: Zone): Parts {
  const length = intervalLength(interval) / minute
  const slots = 60 / length
  let currentDay = Number.NaN
  let seenParts = new Set<number>()
  const spots = windows.map(({ start }) => {
    const clock = wallClock(start, zone)
    if (clock.day !== currentDay) seenParts = new Set()
    currentDay = clock.day
    const part = Math.floor(clock.minute / length)
    const hour = Math.floor(part / slots) + (seenParts.has(part) ? 0.5 : 0)
    seenParts.add(part)
    return { day: clock.day, hour, slot: part % slots }
  })
  const hours = [...new Set([...Array(24).keys(), ...spots.map(({ hour }) => hour)])].sort((a, b) => a - b)
  const lineOf = new Map(hours.map((hour, index) => [hour, index]))
  const first = spots[0]?.day ?? 0
  const amount = (spots.at(-1)?.day ?? 0) - first + 1
  const inRows = slots === 1 && amount <= dayRowsMax
  return {
    flow: inRows ? 'rows' : 'columns',
    places: spots.map(({ day, hour, slot }) => ({ block: day - first, line: lineOf.get(hour) ?? 0, slot })),
    blocks: Array.from({ length: amount }, (_, index) =>
      inRows ? dayInWords(first + index) : dateName.format((first + index) * day),
    ),
    lines: hours.map((hour) => String(Math.floor(hour)).padStart(2, '0')),
    slots,
  }
}

function weeks(windows: readonly Window[]): Parts {
  const { start, end } = touchedPeriod('week', windows[0]?.start ?? 0, windows.at(-1)?.end ?? 1)
  const all = windowsBetween('week', start, end)
  const inRows = all.length <= weekRowsMax
  const blocks = all.map((week, index) => {
    if (inRows) return dateName.format(week.start)
    const sunday = new Date(week.end - day)
    if (index > 0 && sunday.getUTCDate() > 7) return ''
    return (sunday.getUTCMonth() === 0 ? januaryName : monthName).format(sunday)
  })
  return {
    flow: inRows ? 'rows' : 'columns',
    places: windows.map((window) => {
      const monday = windowAt('week', window.start).start
      return { block: countWindows('week', start, monday), line: (window.start - monday) / day, slot: 0 }
    }),
    blocks,
    lines: weekdays,
    slots: 1,
  }
}

function quarters(windows: readonly Window[]): Parts {
  const spots = windows.map(({ start }) => {
    const { year, week } = isoWeek(start)
    const quarter = Math.min(3, Math.floor((week - 1) / 13))
    return { quarter: year * 4 + quarter, line: week - 1 - quarter * 13 }
  })
  const first = spots[0]?.quarter ?? 0
  const amount = (spots.at(-1)?.quarter ?? 0) - first + 1
  const longest = Math.max(12, ...spots.map(({ line }) => line)) + 1
  return {
    flow: 'rows',
    places: spots.map(({ quarter, line }) => ({ block: quarter - first, line, slot: 0 })),
    blocks: Array.from({ length: amount }, (_, index) => {
      const quarter = first + index
      return `${Math.floor(quarter / 4)} Q${(quarter % 4) + 1}`
    }),
    lines: Array.from({ length: longest }, (_, index) => String(index + 1)),
    slots: 1,
  }
}

/** Returns the ISO 8601 year and number of a week: its year is the one that contains its Thursday. */
function isoWeek(monday: number): { year: number; week: number } {
  const thursday = monday + 3 * day
  const year = new Date(thursday).getUTCFullYear()
  return { year, week: Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * day)) + 1 }
}

/** Returns the wall-clock day, counted from the epoch, and the minute of that day. */
function wallClock(time: number, zone: Zone): { day: number; minute: number } {
  if (zone === 'utc') return { day: Math.floor(time / day), minute: Math.floor((time % day) / minute) }
  const date = new Date(time)
  return {
    day: Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / day,
    minute: date.getHours() * 60 + date.getMinutes(),
  }
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Formats a day, counted from the epoch, as `Thu 19 Nov`. */
function dayInWords(number: number): string {
  return `${weekdayName.format(number * day)} ${dateName.format(number * day)}`
}

const named = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
const dateName = named({ day: 'numeric', month: 'short' })
const weekdayName = named({ weekday: 'short' })
const monthName = named({ month: 'short' })
const januaryName = named({ month: 'short', year: 'numeric' })

export type Direction = 'left' | 'right' | 'up' | 'down'

/** Returns the index of the next window in a direction, past empty places; the same index at the edge. */
export function neighbour(arrangement: Arrangement, index: number, direction: Direction): number {
  const { places, indexAt, blocks, lines } = arrangement
  const stepsMax = blocks.length * lines.length
  let place = places[index]
  for (let steps = 0; place && steps < stepsMax; steps += 1) {
    place = step(arrangement, place, direction)
    const found = place && indexAt(place)
    if (found !== undefined) return found
  }
  return index
}

/** Returns the next place; undefined past the first or last block. Past the last line, the next block follows. */
function step(arrangement: Arrangement, place: Place, direction: Direction): Place | undefined {
  const forward = direction === 'right' || direction === 'down' ? 1 : -1
  const sideways = direction === 'left' || direction === 'right'
  const { flow, slots, lines, blocks } = arrangement
  const next = { ...place }
  if (flow === 'rows') {
    if (sideways) next.line += forward
    else next.block += forward
  } else if (sideways) {
    const slot = next.block * slots + next.slot + forward
    next.block = Math.floor(slot / slots)
    next.slot = slot - next.block * slots
  } else next.line += forward
  if (next.line < 0) Object.assign(next, { block: next.block - 1, line: lines.length - 1 })
  if (next.line >= lines.length) Object.assign(next, { block: next.block + 1, line: 0 })
  return next.block >= 0 && next.block < blocks.length ? next : undefined
}
