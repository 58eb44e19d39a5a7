import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatInstant, formatOffsetInstant, parseInstant } from './instant.ts'

test('formats datetimes in UTC with microseconds, and omits a fraction of zero', () => {
  expect(formatInstant(Date.UTC(2026, 0, 2, 3, 4, 5, 60))).toBe('2026-01-02T03:04:05.060000Z')
  expect(formatInstant(Date.UTC(2026, 0, 2, 3, 4, 5))).toBe('2026-01-02T03:04:05Z')
  expect(formatOffsetInstant(Date.UTC(2026, 0, 2))).toBe('2026-01-02T00:00:00+00:00')
})

test('parsing a formatted datetime returns the same time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) }), (time) => {
      expect(parseInstant(formatInstant(time))).toEqual({ time, naive: false })
      expect(parseInstant(formatOffsetInstant(time))).toEqual({ time, naive: false })
    }),
  )
})

test('applies offsets, and reads a naive datetime as UTC and marks it as naive', () => {
  expect(parseInstant('2026-03-01T10:00:00+02:30')?.time).toBe(Date.UTC(2026, 2, 1, 7, 30))
  expect(parseInstant('2026-03-01T10:00')).toEqual({ time: Date.UTC(2026, 2, 1, 10), naive: true })
  expect(parseInstant('2026-03-01')).toEqual({ time: Date.UTC(2026, 2, 1), naive: true })
})

test.each([
  '',
  'now',
  '2026-02-30T00:00:00Z',
  '2026-13-01',
  '2026-01-01T25:00:00Z',
  '2026-01-01T00:00:00+99:00',
  '1e9',
])('rejects %j', (text) => {
  expect(parseInstant(text)).toBeNull()
})

test('does not throw for any text', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseInstant(text)))
})
