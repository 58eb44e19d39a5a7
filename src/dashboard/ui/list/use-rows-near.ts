import { useEffect, useState } from 'react'

/** Rows between two renders while scrolling, so that not every pixel renders again. */
const step = 4
const overscan = 4

/** The rows to draw, both included. */
type RowsNear = { first: number; last: number; measure: (list: HTMLElement | null) => void }

/**
 * Which rows of a long list, all of the same height in pixels, are near enough to the window to be drawn. Up to `wholeMax` rows
 * are all drawn, so that the page can be searched and printed. `measure` is the list's ref.
 */
export function useRowsNear(count: number, rowHeight: number, wholeMax: number): RowsNear {
  const [list, measure] = useState<HTMLElement | null>(null)
  const [steps, setSteps] = useState(0)
  const [height, setHeight] = useState(() => innerHeight)
  const whole = count <= wholeMax
  useEffect(() => {
    if (whole || !list) return undefined
    const measureScroll = () => {
      setSteps(Math.max(0, Math.floor(-list.getBoundingClientRect().top / (rowHeight * step))))
      setHeight(innerHeight)
    }
    addEventListener('scroll', measureScroll, { passive: true })
    addEventListener('resize', measureScroll)
    return () => {
      removeEventListener('scroll', measureScroll)
      removeEventListener('resize', measureScroll)
    }
  }, [whole, list, rowHeight])
  if (whole) return { first: 0, last: count - 1, measure }
  const start = Math.min(steps * step, Math.max(0, count - 1))
  return {
    first: Math.max(0, start - overscan),
    last: Math.min(count - 1, start + Math.ceil(height / rowHeight) + step + overscan),
    measure,
  }
}
