import { useDeferredValue, type ReactNode } from 'react'

/** Renders its children after everything else, in a render that a scroll interrupts. */
export function Deferred({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) ? children : null
}
