import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pathVector } from './path-vector.ts'
import { comparePaths } from './path-distance.ts'

const path = [
  'page /',
  'page /lamps',
  'click button "Add to cart"',
  'page /checkout',
  'event purchase_completed',
]

function cosineDistance(one: readonly number[], other: readonly number[]): number {
  return 1 - one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)
}

test('returns distance 0 for equal paths and 1 for paths without a shared step', () => {
  expect(comparePaths(path, path)).toEqual({ distance: 0, shared: path, parts: null })
  expect(comparePaths(path, ['page /help'])).toEqual({
    distance: 1,
    shared: [],
    parts: { here: 'page /', there: 'page /help' },
  })
})

test('shows where the shorter path ends', () => {
  const { distance, shared, parts } = comparePaths(path, path.slice(0, 4))
  expect(shared).toEqual(path.slice(0, 4))
  expect(parts).toEqual({ here: 'event purchase_completed', there: null })
  expect(distance).toBeGreaterThan(0)
  expect(distance).toBeLessThan(0.4)
})

test('respects the order of steps', () => {
  const near = comparePaths(path, [...path.slice(0, 3), 'page /cart', ...path.slice(3)]).distance
  const far = comparePaths(path, path.toReversed()).distance
  expect(near).toBeLessThan(far)
  const vector = pathVector(path)
  expect(cosineDistance(vector, pathVector([...path, 'page /']))).toBeLessThan(
    cosineDistance(vector, pathVector(path.toReversed())),
  )
})

test('returns a symmetric distance between 0 and 1', () => {
  const paths = fc.array(fc.constantFrom(...path, 'page /help', 'error no'), { maxLength: 30 })
  fc.assert(
    fc.property(paths, paths, (one, other) => {
      const { distance } = comparePaths(one, other)
      expect(distance).toBeGreaterThanOrEqual(0)
      expect(distance).toBeLessThanOrEqual(1)
      expect(comparePaths(other, one).distance).toBe(distance)
    }),
  )
})

test('returns a vector of length 1, or an empty one without steps', () => {
  expect(Math.hypot(...pathVector(path))).toBeCloseTo(1)
  expect(pathVector([])).toEqual([])
})
