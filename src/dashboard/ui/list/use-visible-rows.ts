import { useEffect, useState } from 'react'

/** Rows scrolled between two renders. */
const step = 4
/** Rows rendered above and below the window. */
const overscan = 4

/** The rows to render, both ends included; `measure` is the list's ref. */
type VisibleRows = { first: number; last: number; measure: (list: HTMLElement | null) => void }

/**
 * Finds the rows of a long list in or near the window; `rowHeight` in pixels. Up to `renderAllMax` rows are all rendered,
 * so that the browser can search and print them.
 */
export function useVisibleRows(count: number, rowHeight: number, renderAllMax: number): VisibleRows {
  const [list, measure] = useState<HTMLElement | null>(null)
  const [steps, setSteps] = useState(0)
  const [height, setHeight] = useState(() => innerHeight)
  const rendersAll = count <= renderAllMax
  useEffect(() => {
    if (rendersAll || !list) return undefined
    const measureScroll = () => {
      setSteps(Math.max(0, Math.floor(-list.getBoundingClientRect().top / (rowHeight * step))))
      setHeight(innerHeight)
    }
    measureScroll()
    addEventListener('scroll', measureScroll, { passive: true })
    addEventListener('resize', measureScroll)
    return () => {
      removeEventListener('scroll', measureScroll)
      removeEventListener('resize', measureScroll)
    }
  }, [rendersAll, list, rowHeight])
  if (rendersAll) return { first: 0, last: count - 1, measure }
  const start = Math.min(steps * step, Math.max(0, count - 1))
  return {
    first: Math.max(0, start - overscan),
    last: Math.min(count - 1, start + Math.ceil(height / rowHeight) + step + overscan),
    measure,
  }
}
