import { useRef, useState, type PointerEvent } from 'react'

type Point = { x: number; y: number }
type Release = { dragged: boolean; extended: boolean; adding: boolean }

type Dragging = {
  indexAt: (point: Point) => number | undefined
  /** Called when the button is pressed on a window; returns the index at which the selection starts. */
  onPress: (index: number, extend: boolean) => number
  /** `before` is the selection at the time of the press. */
  onDrag: (from: number, to: number, adding: boolean, before: ReadonlySet<number>) => void
  onRelease: (index: number, how: Release) => void
  selected: ReadonlySet<number>
}

type Press = { from: number; at: number; before: ReadonlySet<number> } & Release

/** Handles hover, click and drag over items that have no elements of their own. */
export function useDragging({ indexAt, onPress, onDrag, onRelease, selected }: Dragging) {
  const [hovered, setHovered] = useState<number | null>(null)
  const press = useRef<Press | null>(null)
  const indexUnder = (event: PointerEvent<HTMLElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    return indexAt({ x: event.clientX - left, y: event.clientY - top })
  }
  const end = () => {
    press.current = null
  }
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const index = indexUnder(event)
      if (index === undefined || event.button !== 0) return
      // The focus moves when the button is released.
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      const extended = event.shiftKey
      const adding = event.ctrlKey || event.metaKey
      const from = onPress(index, extended)
      press.current = { from, at: index, before: selected, dragged: false, extended, adding }
      if (extended) onDrag(from, index, adding, selected)
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const index = indexUnder(event)
      setHovered(index ?? null)
      const pressed = press.current
      if (!pressed || index === undefined || index === pressed.at) return
      pressed.dragged = true
      pressed.at = index
      onDrag(pressed.from, index, pressed.adding, pressed.before)
    },
    onPointerUp() {
      const pressed = press.current
      end()
      if (pressed) onRelease(pressed.at, pressed)
    },
    onPointerCancel: end,
    onPointerLeave() {
      setHovered(null)
    },
  }
  return { hovered, handlers }
}
