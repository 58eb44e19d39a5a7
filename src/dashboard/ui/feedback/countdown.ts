export type Countdown = {
  /** Stops the clock while somebody reads or reaches for the button. */
  hold: () => void
  /** Lets it run on; from no less than a second. */
  release: () => void
  /** Ends it without its end being told. */
  cancel: () => void
  /** Milliseconds that are left. */
  remaining: () => number
  isHeld: () => boolean
}

type Clock = { now: () => number; after: (ms: number, act: () => void) => () => void }

const browserClock: Clock = {
  now: () => Date.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
}

const leastMs = 1_000

/** Counts a time down once, and can be held. */
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
      const left = Math.max(leastMs, remaining())
      heldAt = null
      endsAt = clock.now() + left
      stop = clock.after(left, onEnd)
    },
    cancel: () => stop(),
    remaining,
    isHeld: () => heldAt !== null,
  }
}
