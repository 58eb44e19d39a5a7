import { useEffect, useRef, type RefObject } from 'react'
import { flushSync } from 'react-dom'

type TableRef = RefObject<HTMLTableElement | null>

/** Returns the index `step` rows after `index`, within `count` rows; without a row (-1), the first or last index. */
export function steppedIndex(count: number, index: number, step: number): number {
  if (index === -1) return step > 0 ? 0 : count - 1
  return Math.min(count - 1, Math.max(0, index + step))
}

/** Focuses a row; `onActive` first renders it if it is too far outside the window. */
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

/** If the focused row disappears, focuses the row that takes its place. */
export function useFocusOnNeighbour({ shownIds, activeId, onActive, tableRef }: Neighbour): void {
  const activeIndex = useRef(-1)
  useEffect(() => {
    const index = activeId === null ? -1 : shownIds.indexOf(activeId)
    const isRemoved = index === -1 && activeId !== null && activeIndex.current !== -1
    const next = isRemoved ? shownIds[Math.min(activeIndex.current, shownIds.length - 1)] : undefined
    activeIndex.current = index
    if (next === undefined || document.activeElement !== document.body) return
    onActive(next)
    rowOf(tableRef, next)?.focus()
  }, [shownIds, activeId, onActive, tableRef])
}

function rowOf(tableRef: TableRef, id: string): HTMLElement | null | undefined {
  return tableRef.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)
}
