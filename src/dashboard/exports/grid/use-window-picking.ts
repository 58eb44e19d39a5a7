import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { flushSync } from 'react-dom'
import { neighbour, type Arrangement, type Direction } from './arrangement.ts'
import type { Geometry } from './geometry.ts'
import { isSelectable, windowsFromTo, type CoveredWindow } from './window-selection.ts'

export type Picking = {
  /** Adjoining, oldest first. */
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

/** A pressed button: where the selection starts, where the pointer is, and the selection that is kept. */
type Press = { from: number; at: number; kept: ReadonlySet<number> } & Record<
  'dragged' | 'extended' | 'adding',
  boolean
>

/**
 * Moves among windows, selects and opens them, by pointer and keyboard, although windows have no elements of their own.
 * Attach `cell` to the active window's element, and `handlers` to the grid's.
 */
export function useWindowPicking({ windows, arrangement, geometry, selected, onSelect, onOpen }: Picking) {
  const cell = useRef<HTMLTableCellElement>(null)
  const anchor = useRef<number | null>(null)
  const press = useRef<Press | null>(null)
  const [activeStart, setActiveStart] = useState<number | null>(null)
  const [hovered, setHovered] = useState<number | null>(null)
  const active = activeIndex(windows, activeStart)

  const selectTo = (from: number, to: number, kept = none) =>
    onSelect(new Set([...kept, ...windowsFromTo(windows, from, to).map(({ start }) => start)]))
  const toggle = (index: number) => {
    const window = windows[index]
    if (!window || !isSelectable(window)) return
    anchor.current = index
    onSelect(new Set(selected).symmetricDifference(new Set([window.start])))
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
  const onKeyDown = (event: KeyboardEvent) => {
    const target = keyTarget(event.key, arrangement, active)
    if (target !== null) {
      anchor.current = event.shiftKey ? (anchor.current ?? active) : null
      if (anchor.current !== null) selectTo(anchor.current, target)
      focus(target)
    } else if (event.key === ' ') toggle(active)
    else if (event.key === 'Enter') open(active)
    else if (event.key === 'Escape' && selected.size > 0) onSelect(none)
    else return
    event.preventDefault()
  }
  const indexUnder = (event: PointerEvent) => arrangement.indexAt(geometry.placeAt(pointOf(event)))
  const handlers = {
    onPointerDown(event: PointerEvent) {
      const at = indexUnder(event)
      if (at === undefined || event.button !== 0) return
      // The focus moves when the button is released.
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      const { shiftKey: extended } = event
      const adding = event.ctrlKey || event.metaKey
      const from = extended ? (anchor.current ?? active) : at
      anchor.current = from
      press.current = { from, at, kept: adding ? selected : none, dragged: false, extended, adding }
      if (extended) selectTo(from, at, press.current.kept)
    },
    onPointerMove(event: PointerEvent) {
      const at = indexUnder(event)
      setHovered(at ?? null)
      if (!press.current || at === undefined || at === press.current.at) return
      Object.assign(press.current, { dragged: true, at })
      selectTo(press.current.from, at, press.current.kept)
    },
    onPointerUp() {
      const pressed = press.current
      press.current = null
      if (!pressed) return
      if (!pressed.dragged && !pressed.extended) (pressed.adding ? toggle : open)(pressed.at)
      focus(pressed.at)
    },
    onPointerCancel() {
      press.current = null
    },
    onPointerLeave: () => setHovered(null),
  }
  return { active, cell, onKeyDown, hovered, handlers }
}

function pointOf({ currentTarget, clientX, clientY }: PointerEvent) {
  const { left, top } = currentTarget.getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
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
