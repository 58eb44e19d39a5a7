import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { flushSync } from 'react-dom'
import { neighbour, type Arrangement, type Direction } from './arrangement.ts'
import type { Geometry } from './geometry.ts'
import { isSelectable, windowsFromTo, type CoveredWindow } from './window-selection.ts'

type Picking = {
  windows: readonly CoveredWindow[]
  arrangement: Arrangement
  geometry: Geometry
  /** Starts of windows. */
  selected: ReadonlySet<number>
  onSelect: (starts: ReadonlySet<number>) => void
  onOpen: (runId: string) => void
}

const directions: Record<string, Direction> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

const none: ReadonlySet<number> = new Set()

/** Moves among windows, selects and opens them, by pointer and keyboard. Attach `cell` to the active window's element. */
export function useWindowPicking({ windows, arrangement, geometry, selected, onSelect, onOpen }: Picking) {
  const cell = useRef<HTMLTableCellElement>(null)
  const anchor = useRef<number | null>(null)
  const [activeStart, setActiveStart] = useState<number | null>(null)
  const active = activeIndex(windows, activeStart)

  const selectTo = (from: number, to: number, kept = none) =>
    onSelect(new Set([...kept, ...windowsFromTo(windows, from, to).map(({ start }) => start)]))
  const toggle = (index: number) => {
    const window = windows[index]
    if (!window || !isSelectable(window)) return
    const next = new Set(selected)
    if (!next.delete(window.start)) next.add(window.start)
    anchor.current = index
    onSelect(next)
  }
  const open = (index: number) => {
    const run = windows[index]?.run
    if (run) onOpen(run.id)
    else selectTo(index, index)
    anchor.current = index
  }
  const focus = (index: number) => {
    // Each window gets a new cell element, so that a screen reader announces it.
    flushSync(() => setActiveStart(windows[index]?.start ?? null))
    cell.current?.focus()
  }
  const dragging = useDragging({
    indexAt: (point) => arrangement.indexAt(geometry.placeAt(point)),
    onPress: (index, extend) => {
      const from = extend ? (anchor.current ?? active) : index
      anchor.current = from
      return from
    },
    onDrag: (from, to, adding, before) => selectTo(from, to, adding ? before : none),
    onRelease: (index, { dragged, extended, adding }) => {
      if (!dragged && !extended) (adding ? toggle : open)(index)
      focus(index)
    },
    selected,
  })
  const moveTo = (target: number, extend: boolean) => {
    anchor.current = extend ? (anchor.current ?? active) : null
    if (anchor.current !== null) selectTo(anchor.current, target)
    focus(target)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const target = keyTarget(event.key, arrangement, active)
    if (target !== null) moveTo(target, event.shiftKey)
    else if (event.key === ' ') toggle(active)
    else if (event.key === 'Enter') open(active)
    else if (event.key === 'Escape' && selected.size > 0) onSelect(none)
    else return
    event.preventDefault()
  }
  return { active, cell, onKeyDown, ...dragging }
}

/** Returns the index of the active window: the chosen one, else the newest that is not in the future. */
function activeIndex(windows: readonly CoveredWindow[], start: number | null): number {
  const chosen = start === null ? -1 : windows.findIndex((window) => window.start === start)
  if (chosen !== -1) return chosen
  return Math.max(
    0,
    windows.findLastIndex(({ state }) => state !== 'future'),
  )
}

function keyTarget(key: string, arrangement: Arrangement, active: number): number | null {
  const direction = directions[key]
  if (direction) return neighbour(arrangement, active, direction)
  if (key === 'Home') return 0
  return key === 'End' ? arrangement.places.length - 1 : null
}

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
function useDragging({ indexAt, onPress, onDrag, onRelease, selected }: Dragging) {
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
