import fc from 'fast-check'
import { expect, test } from 'vitest'
import { activeTime, activityOf, activityShares, joinActivity } from './activity.ts'

/** Defines active time: the sum of all gaps of at most five seconds. */
function gapsUpTo5s(moments: readonly number[]): number {
  const sorted = moments.toSorted((a, b) => a - b)
  return sorted.reduce((sum, moment, index) => {
    const gap = moment - (sorted[index - 1] ?? moment)
    return gap <= 5000 ? sum + gap : sum
  }, 0)
}

const moments = fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 60 })

test('sums gaps of at most five seconds', () => {
  expect(activeTime(activityOf([0, 5000, 10_001, 10_001, 12_000]))).toBe(5000 + 1999)
  fc.assert(
    fc.property(moments, (all) => {
      expect(activeTime(activityOf(all))).toBe(gapsUpTo5s(all))
    }),
  )
})

test('joins parts of a session to the same result in any order and with repeats', () => {
  fc.assert(
    fc.property(moments, moments, moments, (a, b, c) => {
      const whole = activityOf([...a, ...b, ...c])
      const [one, two, three] = [activityOf(a), activityOf(b), activityOf(c)]
      expect(joinActivity(joinActivity(one, two), three)).toEqual(whole)
      expect(joinActivity(three, joinActivity(two, joinActivity(one, two)))).toEqual(whole)
    }),
  )
})

test('returns the active shares of a recording, even for a single moment', () => {
  const shares = activityShares([0, 5000, 95_000, 100_000], 0, 100_000)
  expect(shares).toEqual([1, ...Array.from({ length: 18 }, () => 0), 1])
  expect(activityShares([7, 7], 7, 7)).toHaveLength(20)
})
