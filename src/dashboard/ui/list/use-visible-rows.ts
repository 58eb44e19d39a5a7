import { useEffect, useState } from 'react'

/** Distance (px) scrolled between two renders; rendering a few rows does not delay a frame. */
const stepPx = 160
/** Distance (px) rendered beyond the window, in the direction of scrolling and in the other one. */
const aheadPx = 960
const behindPx = 160

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
  const rowsIn = (px: number) => Math.ceil(px / rowHeight)
  const step = rowsIn(stepPx)
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
  }, [rendersAll, list, rowHeight, step])
  if (rendersAll) return { first: 0, last: count - 1, measure }
  const start = Math.min(steps * step, Math.max(0, count - 1))
  return {
    first: Math.max(0, start - rowsIn(isUp ? aheadPx : behindPx)),
    last: Math.min(count - 1, start + rowsIn(height) + step + rowsIn(isUp ? behindPx : aheadPx)),
    measure,
  }
}
