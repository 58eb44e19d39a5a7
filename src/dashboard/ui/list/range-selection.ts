import { useRef, type MouseEvent, type PointerEvent } from 'react'
import type { KeyMap } from '../use-keys.ts'
import { dragTo, rangeTo, startDrag, type Drag } from './selection.ts'
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

/** Distance (px) to the right of the checkboxes' column beyond which the pointer has left it. */
const exitDistancePx = 24

/** Returns the handlers of a table whose rows are selected by dragging over their checkboxes. */
export function useDragSelection({ shownIds, selection, setSelection }: Draggable) {
  /** The drag from the checkbox pressed last; the pointer is at a row's checkbox, or has left their column (null). */
  const press = useRef<{ drag: Drag; at: string | null; moved: boolean; ended: boolean } | null>(null)
  const follow = ({ target, buttons, clientX }: PointerEvent) => {
    const row = rowOf(target)
    if (buttons !== 1 || !press.current || press.current.ended || !row) return
    const right = row.cells[0]?.getBoundingClientRect().right ?? 0
    const at = clientX > right + exitDistancePx ? null : (row.dataset.id ?? null)
    // Just beside the column, the pointer may be leaving it or coming back.
    if (at === press.current.at || (at !== null && clientX > right)) return
    const drag = dragTo(press.current.drag, at, shownIds)
    Object.assign(press.current, { drag, at, moved: true })
    setSelection(() => drag.now)
  }
  return {
    onPointerDown: ({ target, pointerType }: PointerEvent) => {
      const isBox = target instanceof Element && target.closest('label:has(input[type=checkbox])')
      const at = isBox && pointerType === 'mouse' && rowOf(target)?.dataset.id
      press.current = at ? { drag: startDrag(selection, at), at, moved: false, ended: false } : null
      // Also outside the table.
      addEventListener('pointerup', () => Object.assign(press.current ?? {}, { ended: true }), { once: true })
    },
    onPointerMove: follow,
    // Scrolling moves other rows below the pointer.
    onPointerOver: follow,
    onClickCapture: (event: MouseEvent) => {
      // A drag that ends where it began clicks its checkbox, which would toggle the row again.
      if (!press.current?.moved || event.detail === 0) return
      event.preventDefault()
      event.stopPropagation()
    },
  }
}

function rowOf(target: EventTarget): HTMLTableRowElement | null {
  return target instanceof Element ? target.closest<HTMLTableRowElement>('tr[data-id]') : null
}
