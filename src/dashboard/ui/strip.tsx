import { memo, useState, type PointerEvent } from 'react'
import type { WindowState } from '../../contract/coverage.ts'

/** Width (px) of a cell with its gap, and of the cell alone. */
const pitch = 5
const width = 4
const height = 18

type StripProps = {
  /** Oldest first. */
  states: readonly WindowState[]
  /** Text alternative for screen readers. */
  label: string
  /** Returns the tooltip of the cell under the pointer. */
  describe: (index: number) => string
}

/** A row of small cells over time. When there is less room, the oldest cells are cut off. */
export const Strip = memo(function Strip({ states, label, describe }: StripProps) {
  const [description, setDescription] = useState<string | null>(null)
  const point = (event: PointerEvent<HTMLElement>) => {
    const fromEnd = event.currentTarget.getBoundingClientRect().right - event.clientX
    const index = states.length - 1 - Math.floor(Math.max(0, fromEnd) / pitch)
    setDescription(states[index] ? describe(index) : null)
  }
  const wholeWidth = states.length * pitch - 1
  return (
    <span
      className="relative block"
      style={{ height, maxWidth: wholeWidth }}
      onPointerMove={point}
      onPointerLeave={() => setDescription(null)}
    >
      <span className="sr-only">{label}</span>
      <svg
        aria-hidden="true"
        className="absolute inset-0 h-full w-full"
        viewBox={`0 0 ${wholeWidth} ${height}`}
        preserveAspectRatio="xMaxYMid slice"
        fill="none"
      >
        {layers.map(({ of, draw, className }, index) => {
          const path = states.map((state, at) => (of.includes(state) ? draw(at * pitch) : '')).join('')
          return path && <path key={index} d={path} className={className} />
        })}
      </svg>
      {description !== null && (
        <span
          ref={showAtParent}
          aria-hidden="true"
          popover="hint"
          className="anchored-tip rounded-md bg-ink px-2 py-1 text-xs whitespace-nowrap text-bg"
        >
          {description}
        </span>
      )}
    </span>
  )
})

function showAtParent(tip: HTMLElement | null): void {
  if (tip?.parentElement) tip.showPopover({ source: tip.parentElement })
}

type Layer = { of: readonly WindowState[]; draw: (x: number) => string; className: string }

const full = (x: number) => `M${x + 2} 2v14`
const half = (x: number) => `M${x + 2} 9v7`
const outline = (x: number) => `M${x + 0.5} .5h3v17h-3z`

/** States as colour and shape, one path for all cells of a kind. */
const layers: readonly Layer[] = [
  { of: ['completed'], draw: full, className: 'stroke-ok stroke-4 [stroke-linecap:round]' },
  { of: ['short'], draw: half, className: 'stroke-short stroke-4 [stroke-linecap:round]' },
  {
    of: ['failed'],
    draw: (x) => `M${x} 0h${width}v6.5l-2.8 2.5l2.8 2.5v6.5h-${width}z`,
    className: 'fill-fail',
  },
  { of: ['running'], draw: full, className: 'stroke-run stroke-4 opacity-35 [stroke-linecap:round]' },
  { of: ['running'], draw: half, className: 'stroke-run stroke-4 [stroke-linecap:round]' },
  { of: ['waiting', 'due'], draw: outline, className: 'stroke-run stroke-1' },
  { of: ['missing'], draw: outline, className: 'stroke-fail stroke-1 [stroke-dasharray:2.5_1.5]' },
  {
    of: ['paused'],
    draw: (x) => [5, 10, 15].map((y) => `M${x} ${y}l4 -4`).join(''),
    className: 'stroke-edge stroke-1',
  },
  {
    of: ['before', 'after', 'future'],
    draw: (x) => `M${x} 16.5h${width}`,
    className: 'stroke-idle stroke-3',
  },
]
