import { createAtom, useSelector } from '@tanstack/react-store'

const lastTick = createAtom(0)
let timer: ReturnType<typeof setInterval> | undefined
let readers = 0

/** The current second in epoch milliseconds, correct even between two ticks. The timer runs only while there are readers. */
export const clock = {
  get: () => Math.floor(Date.now() / 1000) * 1000,
  subscribe: (listener: (second: number) => void) => {
    readers += 1
    timer ??= setInterval(() => lastTick.set(clock.get()), 1000)
    const subscription = lastTick.subscribe(listener)
    return {
      unsubscribe: () => {
        subscription.unsubscribe()
        readers -= 1
        if (readers > 0) return
        clearInterval(timer)
        timer = undefined
      },
    }
  },
}

/** Derives a value from the current time every second; renders again only when the value changes. */
export function useNow<T extends string | number | boolean | null>(derive: (now: number) => T): T {
  return useSelector(clock, derive)
}
