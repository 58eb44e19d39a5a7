import { useEffect, useState } from 'react'

/** Rows scrolled between two renders. */
const step = 4
/** Rows rendered beyond the window, in the direction of scrolling and in the other one. */
const ahead = 12
const behind = 4

/** The rows to render, both ends included; `measure` is the list's ref. */
type VisibleRows = { first: number; last: number; measure: (list: HTMLElement | null) => void }

/**
 * Finds the rows of a long list in or near the window; `rowHeight` in pixels. Up to `renderAllMax` rows are all rendered,
 * so that the browser can search and print them.
 */
export function useVisibleRows(count: number, rowHeight: number, renderAllMax: number): VisibleRows {
  const [list, measure] = useState<HTMLElement | null>(null)
  const [{ steps, isUp }, setPlace] = useState({ steps: 0, isUp: false })
  const [height, setHeight] = useState(() => innerHeight)
  const rendersAll = count <= renderAllMax
  useEffect(() => {
    if (rendersAll || !list) return undefined
    const measureScroll = () => {
      const next = Math.max(0, Math.floor(-list.getBoundingClientRect().top / (rowHeight * step)))
      setPlace((now) => (now.steps === next ? now : { steps: next, isUp: next < now.steps }))
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
    first: Math.max(0, start - (isUp ? ahead : behind)),
    last: Math.min(count - 1, start + Math.ceil(height / rowHeight) + step + (isUp ? behind : ahead)),
    measure,
  }
}
