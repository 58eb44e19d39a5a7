import { useState, type PointerEvent } from 'react'

/** Width (px) of a cell with its gap. */
const pitch = 5
/** Width (px) of a cell alone. */
const cellWidth = 4
const height = 18

/** Cells of one kind: a colour and a shape, drawn at `x` in a box of 4 × 18. */
export type StripLayer<Cell> = {
  has: (cell: Cell) => boolean
  draw: (x: number) => string
  className: string
}

type CellStripProps<Cell> = {
  /** Oldest first. */
  cells: readonly Cell[]
  /** Each is drawn as one path, the last on top. */
  layers: readonly StripLayer<Cell>[]
  /** Indexes of cells that get a mark at their top. */
  marked?: ReadonlySet<number>
  /** Text alternative for screen readers. */
  label: string
  /** Returns the tooltip of the cell under the pointer. */
  describe: (index: number) => string
  /** Squeezes the cells when there is less room; otherwise the oldest cells are cut off. */
  squeezes?: boolean
}

/** A row of small cells over time. */
export function CellStrip<Cell>(props: CellStripProps<Cell>) {
  const { cells, layers, marked, label, describe, squeezes = false } = props
  const wholeWidth = cells.length * pitch - 1
  const [description, setDescription] = useState<string | null>(null)
  const point = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { right, width } = currentTarget.getBoundingClientRect()
    const fromEnd = squeezes ? ((right - clientX) / width) * wholeWidth : right - clientX
    const index = Math.floor((wholeWidth - fromEnd) / pitch)
    setDescription(index in cells ? describe(index) : null)
  }
  return (
    <span
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an image that is drawn here has no file
      role="img"
      aria-label={label}
      className="relative block"
      style={{ height, maxWidth: wholeWidth }}
      onPointerMove={point}
      onPointerLeave={() => setDescription(null)}
    >
      <svg
        aria-hidden="true"
        className="absolute inset-0 h-full w-full"
        viewBox={`0 0 ${wholeWidth} ${height}`}
        preserveAspectRatio={squeezes ? 'none' : 'xMaxYMid slice'}
        fill="none"
      >
        {layers.map(({ has, draw, className }) => {
          const path = cells.map((cell, at) => (has(cell) ? draw(at * pitch) : '')).join('')
          return path && <path key={className} d={path} className={className} />
        })}
        {marked && (
          <path
            d={Array.from(marked, (at) => `M${at * pitch - 1} -1h${cellWidth + 2}l-3 8z`).join('')}
            className="fill-ink stroke-bg stroke-1"
          />
        )}
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
}

function showAtParent(tip: HTMLElement | null): void {
  if (tip?.parentElement) tip.showPopover({ source: tip.parentElement })
}

/** Shapes that several strips share, in a cell of `cellWidth` × `height`. */
export const cellShapes = {
  /** Bars that a stroke of `cellWidth` rounds. */
  full: (x: number) => `M${x + 2} 2v14`,
  half: (x: number) => `M${x + 2} 9v7`,
  outline: (x: number) => `M${x + 0.5} .5h3v17h-3z`,
  /** A full cell with a notch on the right. */
  notched: (x: number) => `M${x} 0h4v6.5l-2.8 2.5l2.8 2.5v6.5h-4z`,
  base: (x: number) => `M${x} 16.5h4`,
}
