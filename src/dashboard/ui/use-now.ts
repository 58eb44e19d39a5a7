import { createAtom, useSelector } from '@tanstack/react-store'

const lastTick = createAtom(0)
let timer: ReturnType<typeof setInterval> | undefined

/** The current second in epoch milliseconds, correct even between two ticks. */
const clock = {
  get: () => Math.floor(Date.now() / 1000) * 1000,
  subscribe: (listener: (second: number) => void) => {
    timer ??= setInterval(() => lastTick.set(clock.get()), 1000)
    return lastTick.subscribe(listener)
  },
}

/** Derives a value from the current time every second; renders again only when the value changes. */
export function useNow<T extends string | number | boolean | null>(derive: (now: number) => T): T {
  return useSelector(clock, derive)
}
