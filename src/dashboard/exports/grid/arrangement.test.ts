import { expect, test } from 'vitest'
import { windowsBetween, type Interval } from '../../../contract/interval.ts'
import type { Zone } from '../../format/preferences.ts'
import { arrangeWindows, neighbour } from './arrangement.ts'
import { measure } from './geometry.ts'

// A zone with daylight saving time, whatever machine the tests run on.
process.env['TZ'] = 'Europe/Berlin'

function arrange(interval: Interval, from: string, to: string, zone: Zone) {
  const windows = windowsBetween(interval, Date.parse(from), Date.parse(to))
  const arrangement = arrangeWindows(interval, windows, zone)
  /** Returns the place of the window with this start: its block and line by name, and its slot. */
  const placeOf = (start: string) => {
    const place = arrangement.places[windows.findIndex((window) => window.start === Date.parse(start))]
    return place && [arrangement.blocks[place.block], arrangement.lines[place.line], place.slot]
  }
  return { ...arrangement, arrangement, windows, placeOf }
}

test('arranges hours by the day and hour of the zone', () => {
  const local = arrange('hour', '2026-11-18T23:00Z', '2026-11-20T23:00Z', 'local')
  expect(local.blocks).toEqual(['Thu 19 Nov', 'Fri 20 Nov'])
  expect(local.flow).toBe('rows')
  expect(local.placeOf('2026-11-19T08:00Z')).toEqual(['Thu 19 Nov', '09', 0])
  const utc = arrange('hour', '2026-11-18T23:00Z', '2026-11-20T23:00Z', 'utc')
  expect(utc.placeOf('2026-11-19T08:00Z')).toEqual(['Thu 19 Nov', '08', 0])
  expect(utc.blocks).toHaveLength(3)
})

test('gives the repeated hour two places when summer time ends, and keeps the other hours aligned', () => {
  const grid = arrange('hour', '2026-10-23T22:00Z', '2026-10-26T23:00Z', 'local')
  expect(grid.lines.slice(0, 6)).toEqual(['00', '01', '02', '02', '03', '04'])
  expect(grid.lines).toHaveLength(25)
  expect(grid.placeOf('2026-10-25T00:00Z')).toEqual(['Sun 25 Oct', '02', 0])
  expect(grid.placeOf('2026-10-25T01:00Z')).toEqual(['Sun 25 Oct', '02', 0])
  const lines = grid.places.filter(({ block }) => block === 1).map(({ line }) => line)
  expect(lines).toEqual([...Array(25).keys()])
  for (const [instant, day] of [
    ['2026-10-24T07:00Z', 'Sat 24 Oct'],
    ['2026-10-25T08:00Z', 'Sun 25 Oct'],
    ['2026-10-26T08:00Z', 'Mon 26 Oct'],
  ] as const)
    expect(grid.placeOf(instant)).toEqual([day, '09', 0])
})

test('leaves the place of the skipped hour empty when summer time begins', () => {
  const grid = arrange('hour', '2026-03-27T23:00Z', '2026-03-30T22:00Z', 'local')
  expect(grid.lines).toHaveLength(24)
  expect(grid.places.filter(({ block }) => block === 1).map(({ line }) => line)).not.toContain(2)
  expect(grid.placeOf('2026-03-29T01:00Z')).toEqual(['Sun 29 Mar', '03', 0])
  expect(grid.placeOf('2026-03-30T07:00Z')).toEqual(['Mon 30 Mar', '09', 0])
})

test('gives every window its own place, across both clock changes and in every interval', () => {
  for (const interval of [
    'every 5 minutes',
    'every 20 minutes',
    'every 30 minutes',
    'hour',
    'day',
    'week',
  ] as const)
    for (const [from, to] of [
      ['2026-03-25T05:00Z', '2026-04-02T17:00Z'],
      ['2026-10-20T05:00Z', '2026-10-29T17:00Z'],
      ['2024-12-20T00:00Z', '2026-11-21T00:00Z'],
    ] as const) {
      if (interval.startsWith('every') && from.startsWith('2024')) continue
      const { places, arrangement } = arrange(interval, from, to, 'local')
      expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(places.length)
      expect(places.map(arrangement.indexAt)).toEqual([...places.keys()])
    }
})

test('puts parts of an hour side by side, hours below each other, and days side by side', () => {
  const grid = arrange('every 5 minutes', '2026-11-19T23:00Z', '2026-11-21T23:00Z', 'local')
  expect([grid.flow, grid.slots, grid.lines.length, grid.blocks]).toEqual([
    'columns',
    12,
    24,
    ['20 Nov', '21 Nov'],
  ])
  expect(grid.placeOf('2026-11-20T07:35Z')).toEqual(['20 Nov', '08', 7])
})

test('arranges days by week from Monday to Sunday, in UTC, where their windows begin', () => {
  const grid = arrange('day', '2026-08-02T00:00Z', '2026-11-21T00:00Z', 'local')
  expect(grid.flow).toBe('columns')
  expect(grid.placeOf('2026-08-02T00:00Z')).toEqual(['Aug', 'Sun', 0])
  expect(grid.places[1]).toEqual({ block: 1, line: 0, slot: 0 })
})

test('a few weeks of days become rows, so that a young export fills the width too', () => {
  const grid = arrange('day', '2026-11-05T00:00Z', '2026-11-21T00:00Z', 'local')
  expect([grid.flow, grid.blocks]).toEqual(['rows', ['2 Nov', '9 Nov', '16 Nov']])
  expect(grid.placeOf('2026-11-05T00:00Z')).toEqual(['2 Nov', 'Thu', 0])
})

test('arranges weeks by quarter, with room for a year of 53 weeks', () => {
  const grid = arrange('week', '2026-01-01T00:00Z', '2027-01-05T00:00Z', 'utc')
  expect(grid.placeOf('2025-12-29T00:00Z')).toEqual(['2026 Q1', '1', 0])
  expect(grid.placeOf('2026-12-28T00:00Z')).toEqual(['2026 Q4', '14', 0])
  expect(grid.placeOf('2027-01-04T00:00Z')).toEqual(['2027 Q1', '1', 0])
})

test('moves to the neighbour seen in a direction, past empty places, and stops at the edges', () => {
  const { arrangement, windows } = arrange('hour', '2026-03-27T23:00Z', '2026-03-30T22:00Z', 'local')
  const from = (start: string, direction: 'left' | 'right' | 'up' | 'down') => {
    const index = windows.findIndex((window) => window.start === Date.parse(start))
    return new Date(windows[neighbour(arrangement, index, direction)]?.start ?? 0).toISOString().slice(0, 16)
  }
  expect(from('2026-03-28T07:00Z', 'down')).toBe('2026-03-29T06:00')
  expect(from('2026-03-28T01:00Z', 'down')).toBe('2026-03-30T00:00')
  expect(from('2026-03-29T00:00Z', 'right')).toBe('2026-03-29T01:00')
  expect(from('2026-03-27T23:00Z', 'left')).toBe('2026-03-27T23:00')
  expect(from('2026-03-27T23:00Z', 'up')).toBe('2026-03-27T23:00')
})

test.each(['every 5 minutes', 'every 15 minutes', 'hour', 'day', 'week'] as const)(
  'finds the window at a point for the interval %s, on wide and narrow pages',
  (interval) => {
    const { arrangement } = arrange(interval, '2026-10-20T00:00Z', '2026-11-10T00:00Z', 'local')
    for (const width of [311, 900, 2200]) {
      const geometry = measure(arrangement, width)
      expect(geometry.width).toBeLessThanOrEqual(Math.max(width, 330))
      for (const [index, place] of arrangement.places.entries()) {
        const corner = geometry.cornerOf(place)
        const middle = { x: corner.x + geometry.cell.width / 2, y: corner.y + geometry.cell.height / 2 }
        expect(arrangement.indexAt(geometry.placeAt(middle))).toBe(index)
      }
    }
  },
)
