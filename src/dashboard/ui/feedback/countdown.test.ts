import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startCountdown } from './toasts.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function setUp() {
  let ends = 0
  const countdown = startCountdown(6_000, () => ends++)
  return { countdown, ends: () => ends }
}

test('ends once, when its time is up', () => {
  const { countdown, ends } = setUp()
  vi.advanceTimersByTime(5_999)
  expect([countdown.remaining(), ends()]).toEqual([1, 0])
  vi.advanceTimersByTime(1)
  vi.advanceTimersByTime(10_000)
  expect(ends()).toBe(1)
})

test('stops while it is held, and leaves at least a second when it is released', () => {
  const { countdown, ends } = setUp()
  vi.advanceTimersByTime(5_900)
  countdown.hold()
  vi.advanceTimersByTime(60_000)
  expect([countdown.remaining(), countdown.isHeld(), ends()]).toEqual([100, true, 0])
  countdown.release()
  vi.advanceTimersByTime(999)
  expect(ends()).toBe(0)
  vi.advanceTimersByTime(1)
  expect(ends()).toBe(1)
})

test('never ends after it is cancelled', () => {
  const { countdown, ends } = setUp()
  countdown.cancel()
  vi.advanceTimersByTime(60_000)
  expect(ends()).toBe(0)
})
