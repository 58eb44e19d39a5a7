import { useCallback, useRef, useState } from 'react'
import { useFocusOnNeighbour } from './row-focus.ts'
import { nothingSelected, rangeTo, toggled, toggledAll } from './selection.ts'

/** Which rows of a table are selected, and which one has the focus; `shownIds` are the rows in their order. */
export function useRowSelection(shownIds: readonly string[]) {
  const tableRef = useRef<HTMLTableElement>(null)
  const [activeId, setActive] = useState<string | null>(null)
  const [selection, setSelection] = useState(nothingSelected)
  const onSelect = useCallback(
    (id: string, range: boolean) =>
      setSelection((now) => (range ? rangeTo(now, id, shownIds) : toggled(now, id))),
    [shownIds],
  )
  useFocusOnNeighbour({ shownIds, activeId, onActive: setActive, tableRef })
  const clear = useCallback(() => setSelection(nothingSelected), [])
  const toggleAll = (ids: readonly string[]) => setSelection((now) => toggledAll(now, ids))
  return { tableRef, activeId, setActive, selection, onSelect, toggleAll, clear }
}
