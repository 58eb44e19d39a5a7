import { expect, test } from 'vitest'
import { startCountdown } from './countdown.ts'

/** A clock that is moved by hand. */
function handClock() {
  let time = 0
  let due: { at: number; act: () => void } | null = null
  return {
    now: () => time,
    after: (ms: number, act: () => void) => {
      const mine = { at: time + ms, act }
      due = mine
      return () => {
        if (due === mine) due = null
      }
    },
    pass: (ms: number) => {
      time += ms
      if (!due || due.at > time) return
      const { act } = due
      due = null
      act()
    },
  }
}

function setUp() {
  const clock = handClock()
  let ends = 0
  const countdown = startCountdown(6_000, () => ends++, clock)
  return { clock, countdown, ends: () => ends }
}

test('a countdown ends once, when its time has passed', () => {
  const { clock, countdown, ends } = setUp()
  clock.pass(5_999)
  expect([countdown.remaining(), ends()]).toEqual([1, 0])
  clock.pass(1)
  clock.pass(10_000)
  expect(ends()).toBe(1)
})

test('while it is held no time passes, and released it leaves a second at least', () => {
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

test('a cancelled countdown never ends', () => {
  const { clock, countdown, ends } = setUp()
  countdown.cancel()
  clock.pass(60_000)
  expect(ends()).toBe(0)
})
