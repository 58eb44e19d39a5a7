import { useRef, type PointerEvent } from 'react'
import type { RecordingOrder } from '../../../contract/recordings/recording-filter.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import type { List } from '../../ui/list/use-list.ts'
import type { KeyMap } from '../../ui/use-keys.ts'
import type { RecordingContext } from './actions.ts'

export type RecordingsList = List<SessionRecording, RecordingContext, RecordingOrder>

/** Selects several rows at once: by dragging over their checkboxes, or with a digit, from the active row on. */
export function useRangeSelection({ rows, active, select, selection }: RecordingsList) {
  /** The row whose checkbox was pressed, until the pointer reaches another row. */
  const pressed = useRef<string | null>(null)
  const isDragging = useRef(false)
  const start = (id: string) => {
    if (selection.ids.has(id)) select(id, false)
    select(id, false)
  }
  const keys: KeyMap = Object.fromEntries(
    [2, 3, 4, 5, 6, 7, 8, 9].map((amount) => [
      String(amount),
      {
        does: 'Select this many recordings',
        run: () => {
          const from = active ? rows.indexOf(active) : 0
          const [first, last] = [rows[from], rows[Math.min(from + amount, rows.length) - 1]]
          if (!first || !last) return
          start(first.id)
          select(last.id, true)
        },
      },
    ]),
  )
  return {
    keys,
    drag: {
      onPointerDown: ({ target, pointerType }: PointerEvent) => {
        isDragging.current = false
        const isBox = target instanceof Element && target.closest('label:has(input[type=checkbox])')
        pressed.current = isBox && pointerType === 'mouse' ? rowIdOf(target) : null
      },
      onPointerOver: ({ target, buttons }: PointerEvent) => {
        const id = target instanceof Element ? rowIdOf(target) : null
        if (buttons !== 1 || pressed.current === null || id === null) return
        if (!isDragging.current && id === pressed.current) return
        if (!isDragging.current) start(pressed.current)
        isDragging.current = true
        getSelection()?.removeAllRanges()
        select(id, true)
      },
    },
  }
}

function rowIdOf(element: Element): string | null {
  return element.closest('tr')?.getAttribute('data-id') ?? null
}
