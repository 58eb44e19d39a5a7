import { useEffect, useRef, type RefObject } from 'react'
import { flushSync } from 'react-dom'

type TableRef = RefObject<HTMLTableElement | null>

/** The index `step` rows after `at`, of `count` rows; from no row (-1) the first or the last. */
export function steppedIndex(count: number, at: number, step: number): number {
  if (at === -1) return step > 0 ? 0 : count - 1
  return Math.min(count - 1, Math.max(0, at + step))
}

/** Focuses a row; `onActive` first draws a row too far away to be drawn. */
export function focusRow(tableRef: TableRef, onActive: (id: string) => void, id: string): void {
  flushSync(() => onActive(id))
  rowOf(tableRef, id)?.focus()
}

type Neighbour = {
  shownIds: readonly string[]
  activeId: string | null
  onActive: (id: string | null) => void
  tableRef: TableRef
}

/** When the focused row disappears, focuses the row that takes its place. */
export function useFocusOnNeighbour({ shownIds, activeId, onActive, tableRef }: Neighbour): void {
  const place = useRef(-1)
  useEffect(() => {
    const at = activeId === null ? -1 : shownIds.indexOf(activeId)
    const gone = at === -1 && activeId !== null && place.current !== -1
    const next = gone ? shownIds[Math.min(place.current, shownIds.length - 1)] : undefined
    place.current = at
    if (next === undefined || document.activeElement !== document.body) return
    onActive(next)
    rowOf(tableRef, next)?.focus()
  }, [shownIds, activeId, onActive, tableRef])
}

function rowOf(tableRef: TableRef, id: string): HTMLElement | null | undefined {
  return tableRef.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)
}
