import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pathVector } from './path-vector.ts'
import { compareWays } from './similar-ways.ts'

const way = [
  'page /',
  'page /lamps',
  'click button "Add to cart"',
  'page /checkout',
  'event purchase_completed',
]

function cosineDistance(one: readonly number[], other: readonly number[]): number {
  return 1 - one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)
}

test('the same way has distance 0 and never parts, another one has distance 1', () => {
  expect(compareWays(way, way)).toEqual({ distance: 0, shared: way, parts: null })
  expect(compareWays(way, ['page /help'])).toEqual({
    distance: 1,
    shared: [],
    parts: { here: 'page /', there: 'page /help' },
  })
})

test('a way that ends earlier says where it ended', () => {
  const { distance, shared, parts } = compareWays(way, way.slice(0, 4))
  expect(shared).toEqual(way.slice(0, 4))
  expect(parts).toEqual({ here: 'event purchase_completed', there: null })
  expect(distance).toBeGreaterThan(0)
  expect(distance).toBeLessThan(0.4)
})

test('the order counts', () => {
  const near = compareWays(way, [...way.slice(0, 3), 'page /cart', ...way.slice(3)]).distance
  const far = compareWays(way, way.toReversed()).distance
  expect(near).toBeLessThan(far)
  const vector = pathVector(way)
  expect(cosineDistance(vector, pathVector([...way, 'page /']))).toBeLessThan(
    cosineDistance(vector, pathVector(way.toReversed())),
  )
})

test('distances lie between 0 and 1 and are the same from either side', () => {
  const ways = fc.array(fc.constantFrom(...way, 'page /help', 'error no'), { maxLength: 30 })
  fc.assert(
    fc.property(ways, ways, (one, other) => {
      const { distance } = compareWays(one, other)
      expect(distance).toBeGreaterThanOrEqual(0)
      expect(distance).toBeLessThanOrEqual(1)
      expect(compareWays(other, one).distance).toBe(distance)
    }),
  )
})

test('a vector has length 1, or no numbers when there was no step', () => {
  expect(Math.hypot(...pathVector(way))).toBeCloseTo(1)
  expect(pathVector([])).toEqual([])
})
