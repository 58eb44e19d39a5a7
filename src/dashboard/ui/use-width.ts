import { useCallback, useState } from 'react'
import { flushSync } from 'react-dom'

/** Returns an element's width in CSS pixels (0 until it is rendered) and the ref to attach to it. */
export function useWidth(): [width: number, ref: (element: HTMLElement | null) => (() => void) | undefined] {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    // Reports the first width too: after the layout, which reading it here would force, and before the element is painted.
    const observer = new ResizeObserver(() => flushSync(() => setWidth(element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [width, ref]
}
