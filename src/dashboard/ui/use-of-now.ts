import { useCallback, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** Derives a value from the clock, looked at every second; renders again only when the value changes. */
export function useOfNow<T extends string | number | boolean | null>(derive: (now: number) => T): T {
  return useSyncExternalStore(
    everySecond,
    useCallback(() => derive(Math.floor(Date.now() / 1000) * 1000), [derive]),
  )
}

function everySecond(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const notify of listeners) notify()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
