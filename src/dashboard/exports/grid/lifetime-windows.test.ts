import { expect, test } from 'vitest'
import type { WindowState } from '../../../contract/runs/window-state.ts'
import { intervalLength, type Interval } from '../../../contract/interval.ts'
import { lifetimeWindows } from './period.ts'

function windows(interval: Interval, before: number, after: number) {
  const length = intervalLength(interval)
  return Array.from({ length: before + after }, (_, index) => {
    const state: WindowState = index < before ? 'before' : 'completed'
    return { start: index * length, end: (index + 1) * length, state, run: null }
  })
}

test.each<[Interval, number, number, number, boolean]>([
  ['day', 300, 65, 65, true],
  ['day', 363, 2, 7, true],
  ['day', 365, 0, 7, true],
  ['day', 0, 365, 365, false],
  ['hour', 700, 20, 48, true],
  ['hour', 0, 20, 20, false],
  ['every 30 minutes', 300, 36, 96, true],
  ['week', 250, 11, 13, true],
])('%s: %i windows before the first and %i since show %i', (interval, before, after, count, whole) => {
  const { shown, isWhole } = lifetimeWindows(interval, windows(interval, before, after))
  expect([shown.length, isWhole]).toEqual([count, whole])
  expect(shown.at(-1)?.end).toBe((before + after) * intervalLength(interval))
})
