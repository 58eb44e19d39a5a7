import { useEffect, useRef, type MouseEvent, type PointerEvent } from 'react'
import type { KeyMap } from '../use-keys.ts'
import { rangeTo, type Selection } from './selection.ts'
import type { List } from './use-list.ts'

/** Returns the digit keys, which select this many rows from the active one on. */
export function rangeKeys<Row extends { id: string }, Context, Sort extends string>(
  list: List<Row, Context, Sort>,
): KeyMap {
  const { rows, shownIds, active, setSelection, description } = list
  return Object.fromEntries(
    [2, 3, 4, 5, 6, 7, 8, 9].map((amount) => [
      String(amount),
      {
        does: `Select this many ${description.noun}s`,
        // Keeps eight entries of the same name out of the palette.
        moves: true,
        run: () => {
          const from = active ? rows.indexOf(active) : 0
          const [first, last] = [shownIds[from], shownIds[Math.min(from + amount, rows.length) - 1]]
          if (first === undefined || last === undefined) return
          setSelection((now) => rangeTo({ ...now, anchor: first }, last, shownIds))
        },
      },
    ]),
  )
}

type Draggable = Pick<List<{ id: string }, never>, 'shownIds' | 'selection' | 'setSelection'>

/** Returns the handlers of a table whose rows are selected by dragging over their checkboxes. */
export function useDragSelection({ shownIds, selection, setSelection }: Draggable) {
  /** The row whose checkbox was pressed last, and the selection before the drag, once the pointer has reached another row. */
  const press = useRef<{ row: string | null; before?: Selection }>({ row: null })
  useEffect(() => {
    // Also outside the table, and before its own handler.
    const forget = () => {
      press.current = { row: null }
    }
    addEventListener('pointerdown', forget, true)
    return () => removeEventListener('pointerdown', forget, true)
  }, [])
  return {
    onPointerDown: ({ target, pointerType }: PointerEvent) => {
      const isBox = target instanceof Element && target.closest('label:has(input[type=checkbox])')
      press.current = { row: isBox && pointerType === 'mouse' ? rowIdOf(target) : null }
    },
    onPointerOver: ({ target, buttons }: PointerEvent) => {
      const id = target instanceof Element ? rowIdOf(target) : null
      const { row: anchor, before = selection } = press.current
      if (buttons !== 1 || anchor === null || id === null) return
      if (!press.current.before && id === anchor) return
      press.current.before = before
      getSelection()?.removeAllRanges()
      setSelection(() => rangeTo({ ...before, anchor }, id, shownIds))
    },
    onClickCapture: (event: MouseEvent) => {
      // A drag that ends where it began clicks its checkbox, which would deselect the row.
      if (!press.current.before || event.detail === 0) return
      event.preventDefault()
      event.stopPropagation()
    },
  }
}

function rowIdOf(element: Element): string | null {
  return element.closest('tr')?.getAttribute('data-id') ?? null
}
