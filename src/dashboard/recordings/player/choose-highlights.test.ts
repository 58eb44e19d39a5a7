import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HighlightPiece, Mark } from './player-messages.ts'
import { chooseHighlights, highlightMoments, type HighlightMoment } from './choose-highlights.ts'
import { highlightLengths } from './highlight-lengths.ts'

const minute = 60_000

/** Returns the playing time of highlights, in milliseconds. */
function highlightTime(pieces: readonly HighlightPiece[]): number {
  return pieces.reduce((sum, { from, to, speed }) => sum + (to - from) / speed, 0)
}

test('plays the moments and the end at normal speed, and the way between them faster', () => {
  const moments: HighlightMoment[] = [
    { kind: 'page', at: 0 },
    { kind: 'error', at: 60_000 },
  ]
  const pieces = chooseHighlights({ moments, idle: [], end: 2 * minute }, 30_000)
  expect(pieces.map(({ from, to }) => [from, to])).toEqual([
    [0, 1_500],
    [1_500, 58_500],
    [58_500, 61_500],
    [61_500, 117_000],
    [117_000, 120_000],
  ])
  const [, way] = pieces
  expect(pieces.map(({ speed }) => speed)).toEqual([1, way?.speed, 1, way?.speed, 1])
  expect(way?.speed).toBeCloseTo(112_500 / 22_500)
  expect(highlightTime(pieces)).toBeCloseTo(30_000)
})

test('leaves out idle time, and most of the way of a long recording', () => {
  const idle = [{ from: 10_000, to: 50 * minute }]
  const moments: HighlightMoment[] = [{ kind: 'error', at: 55 * minute }]
  const pieces = chooseHighlights({ moments, idle, end: 120 * minute }, 15_000)
  expect(pieces.some(({ from, to }) => from < 50 * minute && to > 10_000)).toBe(false)
  expect(Math.max(...pieces.map(({ speed }) => speed))).toBe(16)
  expect(highlightTime(pieces)).toBeCloseTo(15_000)
})

test('gives each kind of moment its turn when not all of them fit', () => {
  const errors = Array.from({ length: 100 }, (_, index): HighlightMoment => ({
    kind: 'error',
    at: index * 10_000,
  }))
  const rage: HighlightMoment = { kind: 'rage', at: 905_000 }
  const pieces = chooseHighlights({ moments: [...errors, rage], idle: [], end: 1_000_000 }, 15_000)
  const isSlowAt = (at: number) => pieces.some(({ from, to, speed }) => speed === 1 && from <= at && to >= at)
  expect([0, 905_000, 1_000_000, 500_000].map(isSlowAt)).toEqual([true, true, true, false])
})

test('plays a recording that is shorter than the highlights as it was', () => {
  expect(chooseHighlights({ moments: [], idle: [], end: 8_000 }, 15_000)).toEqual([
    { from: 0, to: 5_000, speed: 1 },
    { from: 5_000, to: 8_000, speed: 1 },
  ])
})

test('takes the time of the highlights for any recording that is not shorter', () => {
  const at = fc.integer({ min: 0, max: 3_600_000 })
  const kind = fc.constantFrom('error', 'rage', 'submit', 'page')
  const moments = fc.array(fc.record({ kind, at }), { maxLength: 60 })
  const idle = fc.array(at, { maxLength: 12 }).map((times) => {
    const [...ends] = times.toSorted((one, other) => one - other)
    return ends.flatMap((from, index) => (index % 2 === 0 ? [{ from, to: ends[index + 1] ?? from }] : []))
  })
  fc.assert(
    fc.property(moments, idle, at, fc.constantFrom(...highlightLengths), (found, periods, end, seconds) => {
      const pieces = chooseHighlights(
        { moments: found.filter((moment) => moment.at <= end), idle: periods, end },
        seconds * 1000,
      )
      expect(highlightTime(pieces)).toBeLessThan(seconds * 1000 + 1)
      const idleTime = periods.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, end) - from), 0)
      if (end - idleTime > seconds * 1000) expect(highlightTime(pieces)).toBeGreaterThan(seconds * 1000 - 1)
      pieces.forEach((piece, index) => expect(piece.from).toBeGreaterThanOrEqual(pieces[index - 1]?.to ?? 0))
    }),
  )
})

test('finds errors, failed requests, rage clicks and pages among the marks', () => {
  const kinds: Mark['kind'][] = ['page', 'click', 'rage click', 'log', 'error', 'request', 'failed request']
  const marks = kinds.map((kind, at): Mark => ({ kind, at, text: '', detail: '' }))
  expect(highlightMoments(marks, [9])).toEqual([
    { kind: 'page', at: 0 },
    { kind: 'rage', at: 2 },
    { kind: 'error', at: 4 },
    { kind: 'error', at: 6 },
    { kind: 'submit', at: 9 },
  ])
})
