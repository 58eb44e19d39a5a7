import { expect, test, vi } from 'vitest'
import { clock } from './use-now.ts'

test('ticks once a second while it has readers, and stops with the last one', () => {
  vi.useFakeTimers({ now: Date.parse('2026-03-04T12:00:00Z') })
  const seen: number[] = []
  const first = clock.subscribe((second) => seen.push(second))
  const second = clock.subscribe(() => undefined)
  vi.advanceTimersByTime(2_000)
  expect(seen.map((time) => new Date(time).getSeconds())).toEqual([1, 2])
  first.unsubscribe()
  expect(vi.getTimerCount()).toBe(1)
  second.unsubscribe()
  expect(vi.getTimerCount()).toBe(0)
  const again = clock.subscribe(() => undefined)
  expect(vi.getTimerCount()).toBe(1)
  again.unsubscribe()
  vi.useRealTimers()
})
