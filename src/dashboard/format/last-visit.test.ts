import { expect, test } from 'vitest'
import { afterOpening } from './last-visit.ts'

const minute = 60_000

test('a visit includes everything opened within half an hour; the time before it is the last of the previous visit', () => {
  const first = afterOpening(null, 0)
  expect(first.previous).toBeNull()
  const again = afterOpening(first, 20 * minute)
  expect(again.previous).toBeNull()
  const next = afterOpening(again, 60 * minute)
  expect(next.previous).toBe(20 * minute)
  expect(afterOpening(next, 70 * minute).previous).toBe(20 * minute)
})
