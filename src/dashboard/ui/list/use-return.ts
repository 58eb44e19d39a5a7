import { useElementScrollRestoration } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef } from 'react'

const inputs = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/**
 * After Back or a reload, scrolls to where the user left the list; the router tries this before the rows are rendered.
 * Loads more rows until that place exists, unless the user scrolls, clicks or presses a key meanwhile.
 */
export function useReturn(rowCount: number, onMore: (() => void) | undefined): void {
  const place = useElementScrollRestoration({ getElement: () => window })
  /** Position (px) still to be reached, or null. */
  const target = useRef(place?.scrollY ?? null)
  useEffect(() => {
    const stop = () => {
      target.current = null
    }
    for (const input of inputs) addEventListener(input, stop, { once: true, passive: true, capture: true })
    return () => inputs.forEach((input) => removeEventListener(input, stop, { capture: true }))
  }, [])
  useLayoutEffect(() => {
    if (target.current === null || rowCount === 0) return
    scrollTo({ top: target.current })
    if (Math.ceil(scrollY) < Math.floor(target.current) && onMore) onMore()
    else target.current = null
  }, [rowCount, onMore])
}
