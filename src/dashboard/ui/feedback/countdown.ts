export type Countdown = {
  /** Stops the countdown while the user reads or reaches for the button. */
  hold: () => void
  /** Continues the countdown, with at least a second left. */
  release: () => void
  /** Stops the countdown without calling `onEnd`. */
  cancel: () => void
  /** Returns the milliseconds left. */
  remaining: () => number
  isHeld: () => boolean
}

type Clock = { now: () => number; after: (ms: number, run: () => void) => () => void }

const browserClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** Shortest time (ms) left after a hold. */
const remainingMsMin = 1_000

/** Starts a countdown that can be held; calls `onEnd` once. */
export function startCountdown(lengthMs: number, onEnd: () => void, clock: Clock = browserClock): Countdown {
  let endsAt = clock.now() + lengthMs
  let heldAt: number | null = null
  let stop = clock.after(lengthMs, onEnd)
  const remaining = () => Math.max(0, endsAt - (heldAt ?? clock.now()))
  return {
    hold: () => {
      if (heldAt !== null) return
      stop()
      heldAt = clock.now()
    },
    release: () => {
      if (heldAt === null) return
      const left = Math.max(remainingMsMin, remaining())
      heldAt = null
      endsAt = clock.now() + left
      stop = clock.after(left, onEnd)
    },
    cancel: () => stop(),
    remaining,
    isHeld: () => heldAt !== null,
  }
}
