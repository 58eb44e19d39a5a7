import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Interval } from '../../contract/interval.ts'
import { usePreferences, type Zone } from '../preferences.ts'
import { useWidth } from '../ui/use-width.ts'
import { arrangeWindows } from './arrangement.ts'
import { measure, type Geometry } from './geometry.ts'
import { neighbour, type Direction } from './neighbour.ts'
import { outlines } from './outlines.ts'
import { isSelectable, windowsFromTo, type CoveredWindow } from './selection.ts'
import { useDragging } from './use-dragging.ts'
import { WindowShapes } from './window-shapes.tsx'
import { WindowTip } from './window-tip.tsx'
import { windowFacts } from './window-words.ts'

type WindowGridProps = {
  interval: Interval
  /** Adjoining, oldest first. */
  windows: readonly CoveredWindow[]
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

/**
 * All windows of a period as a picture. One of them can have the focus: arrows move it, Shift with them selects, Space selects
 * one, Enter opens its run, Escape selects nothing. Dragging selects from one to another, with Ctrl or ⌘ in addition.
 */
export function WindowGrid({ interval, windows, selected, onSelect, onOpen }: WindowGridProps) {
  const { zone } = usePreferences()
  const [now] = useState(Date.now)
  const [width, ref] = useWidth()
  const cell = useRef<HTMLTableCellElement>(null)
  const anchor = useRef<number | null>(null)
  const [activeStart, setActiveStart] = useState<number | null>(null)
  const [hasFocus, setHasFocus] = useState(false)
  const arrangement = useMemo(() => arrangeWindows(interval, windows, zone), [interval, windows, zone])
  const geometry = useMemo(() => measure(arrangement, width), [arrangement, width])
  const boxes = useMemo(
    () => arrangement.places.map((place) => ({ ...geometry.cornerOf(place), ...geometry.cell })),
    [arrangement, geometry],
  )
  const active = activeIndex(windows, activeStart)
  const activeWindow = windows[active]
  const place = arrangement.places[active]

  const selectTo = (from: number, to: number, kept: ReadonlySet<number>) =>
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
    else selectTo(index, index, new Set())
    anchor.current = index
  }
  const focus = (index: number) => {
    flushSync(() => setActiveStart(windows[index]?.start ?? null))
    cell.current?.focus({ preventScroll: false })
  }
  const { hovered, handlers } = useDragging({
    indexAt: (point) => arrangement.indexAt(geometry.placeAt(point)),
    onPress: (index, extend) => {
      const from = extend ? (anchor.current ?? active) : index
      anchor.current = from
      setActiveStart(windows[index]?.start ?? null)
      return from
    },
    onDrag: (from, to, adding, before) => selectTo(from, to, adding ? before : new Set()),
    onRelease: (index, { dragged, extended, adding }) => {
      if (!dragged && !extended && adding) toggle(index)
      else if (!dragged && !extended) open(index)
      focus(index)
    },
    selected,
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const target = keyTarget(event, windows.length, (direction) => neighbour(arrangement, active, direction))
    if (target !== null) {
      if (event.shiftKey) {
        anchor.current ??= active
        selectTo(anchor.current, target, new Set())
      } else anchor.current = null
      focus(target)
    } else if (event.key === ' ') toggle(active)
    else if (event.key === 'Enter') open(active)
    else if (event.key === 'Escape' && selected.size > 0) onSelect(new Set())
    else return
    event.preventDefault()
  }
  const told = hovered ?? (hasFocus ? active : null)
  return (
    <div ref={ref} className="min-w-0" style={{ minHeight: geometry.height }}>
      {width > 0 && activeWindow && place && (
        <div
          className="relative touch-pan-y select-none"
          style={{ width: geometry.width, height: geometry.height }}
          {...handlers}
        >
          <Picture windows={windows} boxes={boxes} geometry={geometry} selected={selected} />
          <table
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- of such a table the cells are grid cells
            role="grid"
            tabIndex={-1}
            aria-label="Windows of the period"
            aria-multiselectable="true"
            aria-rowcount={arrangement.blocks.length}
            aria-colcount={arrangement.lines.length * arrangement.slots}
            onKeyDown={onKeyDown}
            onFocus={(event) => setHasFocus(event.target.matches(':focus-visible'))}
            onBlur={() => setHasFocus(false)}
          >
            <tbody>
              <tr aria-rowindex={place.block + 1}>
                <td
                  key={active}
                  ref={cell}
                  tabIndex={0}
                  aria-selected={selected.has(activeWindow.start)}
                  aria-colindex={place.line * arrangement.slots + place.slot + 1}
                  aria-label={labelOf(activeWindow, zone, now)}
                  className="absolute rounded-sm p-0"
                  style={{ left: boxes[active]?.x, top: boxes[active]?.y, ...geometry.cell }}
                />
              </tr>
            </tbody>
          </table>
          <WindowTip
            window={told === null ? undefined : windows[told]}
            box={boxes[told ?? 0]}
            within={geometry.width}
            now={now}
          />
        </div>
      )}
    </div>
  )
}

type PictureProps = {
  windows: readonly CoveredWindow[]
  boxes: readonly { x: number; y: number; width: number; height: number }[]
  geometry: Geometry
  selected: ReadonlySet<number>
}

function Picture({ windows, boxes, geometry, selected }: PictureProps) {
  const chosen = boxes.filter((_, index) => selected.has(windows[index]?.start ?? Number.NaN))
  return (
    <>
      <svg
        aria-hidden="true"
        width={geometry.width}
        height={geometry.height}
        className="absolute inset-0 overflow-visible"
      >
        <WindowShapes windows={windows} boxes={boxes} />
        <path
          className="fill-accent/15 stroke-accent stroke-2"
          d={outlines(chosen, geometry.gap)
            .map(({ x, y, width, height }) => `M${x - 1} ${y - 1}h${width + 2}v${height + 2}h${-width - 2}z`)
            .join('')}
        />
      </svg>
      {geometry.labels.map(({ text, x, y, align }) => (
        <span
          key={`${x} ${y}`}
          aria-hidden="true"
          className={`absolute -translate-y-1/2 text-[11px] leading-4 whitespace-nowrap text-ink-3 ${align === 'middle' ? '-translate-x-1/2' : ''}`}
          style={{ left: x, top: y }}
        >
          {text}
        </span>
      ))}
    </>
  )
}

/** The window that has or would get the focus: the newest that has ended, unless another was chosen. */
function activeIndex(windows: readonly CoveredWindow[], start: number | null): number {
  const chosen = start === null ? -1 : windows.findIndex((window) => window.start === start)
  if (chosen !== -1) return chosen
  return Math.max(
    0,
    windows.findLastIndex(({ state }) => state !== 'future'),
  )
}

function keyTarget(
  { key }: KeyboardEvent,
  length: number,
  move: (direction: Direction) => number,
): number | null {
  const direction = directions[key]
  if (direction) return move(direction)
  if (key === 'Home') return 0
  return key === 'End' ? length - 1 : null
}

function labelOf(window: CoveredWindow, zone: Zone, now: number): string {
  const { time, facts } = windowFacts(window, zone, now)
  return `${time}: ${facts}`
}
