import { expect, test } from 'vitest'
import { idleMsMin, outlineOf } from './outline.ts'

test('reports ten seconds without activity as idle, including at the start and the end', () => {
  const { idle } = outlineOf([15_000, 16_000, 25_999, 60_000], 75_000)
  expect(idle).toEqual([
    { from: 0, to: 15_000 },
    { from: 25_999, to: 60_000 },
    { from: 60_000, to: 75_000 },
  ])
  expect(outlineOf([idleMsMin - 1], idleMsMin).idle).toEqual([])
})

test('divides the activity into equal parts, and scales the busiest to 1', () => {
  const { activity } = outlineOf([0, 1, 2, 3, 159_999], 160_000)
  expect(activity).toHaveLength(160)
  expect([activity[0], activity[1], activity[159]]).toEqual([1, 0, 0.5])
})

test('returns an outline for a recording without duration or activity', () => {
  expect(outlineOf([], 0).activity.every((share) => share === 0)).toBe(true)
  expect(outlineOf([0], 0).activity[0]).toBe(1)
})
