export type Countdown = ReturnType<typeof startCountdown>

/** Shortest time (ms) left after a hold. */
const remainingMsMin = 1_000

/** Starts a countdown that can be held; calls `onEnd` once. */
export function startCountdown(lengthMs: number, onEnd: () => void) {
  let endsAt = Date.now() + lengthMs
  let heldAt: number | null = null
  let timer = setTimeout(onEnd, lengthMs)
  /** Returns the milliseconds left. */
  const remaining = () => Math.max(0, endsAt - (heldAt ?? Date.now()))
  return {
    /** Stops the countdown while the user reads or reaches for the button. */
    hold: () => {
      if (heldAt !== null) return
      clearTimeout(timer)
      heldAt = Date.now()
    },
    /** Continues the countdown, with at least a second left. */
    release: () => {
      if (heldAt === null) return
      const left = Math.max(remainingMsMin, remaining())
      heldAt = null
      endsAt = Date.now() + left
      timer = setTimeout(onEnd, left)
    },
    /** Stops the countdown without calling `onEnd`. */
    cancel: () => clearTimeout(timer),
    remaining,
    isHeld: () => heldAt !== null,
  }
}
