import { useRef, type PointerEvent } from 'react'
import type { KeyMap } from '../use-keys.ts'
import type { List } from './use-list.ts'

type Selectable = Pick<List<{ id: string }, never>, 'select' | 'selection'>

/** Selects a row, from which the next range starts. */
function startRange({ select, selection }: Selectable, id: string): void {
  if (selection.ids.has(id)) select(id, false)
  select(id, false)
}

/** Returns the digit keys, which select this many rows from the active one on. */
export function rangeKeys<Row extends { id: string }, Context, Sort extends string>(
  list: List<Row, Context, Sort>,
): KeyMap {
  const { rows, active, select, description } = list
  return Object.fromEntries(
    [2, 3, 4, 5, 6, 7, 8, 9].map((amount) => [
      String(amount),
      {
        does: `Select this many ${description.noun}s`,
        run: () => {
          const from = active ? rows.indexOf(active) : 0
          const [first, last] = [rows[from], rows[Math.min(from + amount, rows.length) - 1]]
          if (!first || !last) return
          startRange(list, first.id)
          select(last.id, true)
        },
      },
    ]),
  )
}

/** Returns the handlers of a table whose rows are selected by dragging over their checkboxes. */
export function useDragSelection(list: Selectable) {
  /** The row whose checkbox was pressed, until the pointer reaches another row. */
  const pressed = useRef<string | null>(null)
  const isDragging = useRef(false)
  return {
    onPointerDown: ({ target, pointerType }: PointerEvent) => {
      isDragging.current = false
      const isBox = target instanceof Element && target.closest('label:has(input[type=checkbox])')
      pressed.current = isBox && pointerType === 'mouse' ? rowIdOf(target) : null
    },
    onPointerOver: ({ target, buttons }: PointerEvent) => {
      const id = target instanceof Element ? rowIdOf(target) : null
      if (buttons !== 1 || pressed.current === null || id === null) return
      if (!isDragging.current && id === pressed.current) return
      if (!isDragging.current) startRange(list, pressed.current)
      isDragging.current = true
      getSelection()?.removeAllRanges()
      list.select(id, true)
    },
  }
}

function rowIdOf(element: Element): string | null {
  return element.closest('tr')?.getAttribute('data-id') ?? null
}
