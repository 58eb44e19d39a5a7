import { expect, test } from 'vitest'
import { startCountdown } from './countdown.ts'

/** Returns a clock that the test moves. */
function manualClock() {
  let time = 0
  let due: { at: number; run: () => void } | null = null
  return {
    now: () => time,
    after: (ms: number, run: () => void) => {
      const mine = { at: time + ms, run }
      due = mine
      return () => {
        if (due === mine) due = null
      }
    },
    pass: (ms: number) => {
      time += ms
      if (!due || due.at > time) return
      const { run } = due
      due = null
      run()
    },
  }
}

function setUp() {
  const clock = manualClock()
  let ends = 0
  const countdown = startCountdown(6_000, () => ends++, clock)
  return { clock, countdown, ends: () => ends }
}

test('ends once, when its time is up', () => {
  const { clock, countdown, ends } = setUp()
  clock.pass(5_999)
  expect([countdown.remaining(), ends()]).toEqual([1, 0])
  clock.pass(1)
  clock.pass(10_000)
  expect(ends()).toBe(1)
})

test('stops while it is held, and leaves at least a second when it is released', () => {
  const { clock, countdown, ends } = setUp()
  clock.pass(5_900)
  countdown.hold()
  clock.pass(60_000)
  expect([countdown.remaining(), countdown.isHeld(), ends()]).toEqual([100, true, 0])
  countdown.release()
  clock.pass(999)
  expect(ends()).toBe(0)
  clock.pass(1)
  expect(ends()).toBe(1)
})

test('never ends after it is cancelled', () => {
  const { clock, countdown, ends } = setUp()
  countdown.cancel()
  clock.pass(60_000)
  expect(ends()).toBe(0)
})
