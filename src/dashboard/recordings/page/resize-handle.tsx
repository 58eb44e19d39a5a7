import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { createAtom, useSelector } from '@tanstack/react-store'
import { readStored } from '../../format/stored.ts'

const stepPx = 24

/** The line between the picture and the inspector; dragging it or pressing an arrow key resizes the inspector. */
export function ResizeHandle() {
  const { width } = useInspectorSize()
  /** Sum of the inspector's width and the pointer's position while dragging, which stays the same. */
  const dragged = useRef(0)
  const start = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    dragged.current = width + event.clientX
  }
  const move = (event: PointerEvent<HTMLElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId))
      resizeInspector(dragged.current - event.clientX)
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const widths: Record<string, number> = {
      ArrowLeft: width + stepPx,
      ArrowRight: width - stepPx,
      Home: inspectorWidth.min,
      End: inspectorWidth.max,
      Enter: inspectorWidth.usual,
    }
    const next = widths[event.key]
    if (next === undefined) return
    event.preventDefault()
    resizeInspector(next)
  }
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an hr cannot contain the grip
      role="separator"
      aria-label="Width of the inspector"
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={inspectorWidth.min}
      aria-valuemax={inspectorWidth.max}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a focusable separator is interactive
      tabIndex={0}
      title="Drag to resize; double-click for the default width"
      className="group flex w-4 shrink-0 cursor-col-resize touch-none items-center justify-center rounded-sm max-[999px]:hidden"
      onPointerDown={start}
      onPointerMove={move}
      onDoubleClick={() => resizeInspector(inspectorWidth.usual)}
      onKeyDown={press}
    >
      <span className="h-10 w-1 rounded-full bg-line-strong group-hover:bg-accent group-focus-visible:bg-accent" />
    </div>
  )
}

/** Width of the inspector, in CSS pixels; the usual width depends on that of the window. */
const inspectorWidth = {
  min: 260,
  max: 900,
  usual: Math.round(Math.min(Math.max(innerWidth * 0.29, 330), 420)),
} as const

const storageKey = 'spool.inspector'
type InspectorSize = { width: number; isFolded: boolean }

const current = createAtom(storedSize())

// Without a schema, because the page of a recording loads none at first.
function storedSize(): InspectorSize {
  const { width, isFolded } = readStored(storageKey)
  const { min, max, usual } = inspectorWidth
  const isUsable = typeof width === 'number' && width >= min && width <= max
  return { width: isUsable ? width : usual, isFolded: isFolded === true }
}

/** How wide the inspector is, and whether it is folded; kept on this device. */
export function useInspectorSize(): InspectorSize {
  return useSelector(current)
}

function resizeInspector(width: number): void {
  const { min, max } = inspectorWidth
  change({ width: Math.round(Math.min(Math.max(width, min), max)), isFolded: false })
}

export function foldInspector(isFolded: boolean): void {
  change({ isFolded })
}

function change(part: Partial<InspectorSize>): void {
  current.set((before) => ({ ...before, ...part }))
  localStorage.setItem(storageKey, JSON.stringify(current.get()))
}
