import { useState, type PointerEvent } from 'react'

/** Width (px) of a cell with its gap. */
const pitch = 5
/** Width (px) of a cell alone. */
export const cellWidth = 4
const height = 18

/** Cells of one kind: a colour and a shape, drawn at `x` in a box of `width` × 18. */
export type StripLayer<Cell> = {
  has: (cell: Cell) => boolean
  draw: (x: number, width: number) => string
  className: string
}

type CellStripProps<Cell> = {
  /** Oldest first. */
  cells: readonly Cell[]
  /** Each is drawn as one path, the last on top. */
  layers: readonly StripLayer<Cell>[]
  /** How many cells' room each takes; by default, one. */
  spans?: readonly number[]
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
  const { cells, layers, spans, marked, label, describe, squeezes = false } = props
  const ends = endsOf(cells.length, spans)
  const wholeWidth = (ends.at(-1) ?? 0) * pitch - 1
  const [xOf, widthOf] = [
    (at: number) => (ends[at - 1] ?? 0) * pitch,
    (at: number) => (spans?.[at] ?? 1) * pitch - 1,
  ]
  const [description, setDescription] = useState<string | null>(null)
  const point = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { right, width } = currentTarget.getBoundingClientRect()
    const fromEnd = squeezes ? ((right - clientX) / width) * wholeWidth : right - clientX
    const x = wholeWidth - fromEnd
    const index = x < 0 ? -1 : ends.findIndex((each) => each * pitch > x)
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
          const path = cells.map((cell, at) => (has(cell) ? draw(xOf(at), widthOf(at)) : '')).join('')
          return path && <path key={className} d={path} className={className} />
        })}
        {marked && (
          <path
            d={Array.from(marked, (at) => `M${xOf(at) - 1} -1h${cellWidth + 2}l-3 8z`).join('')}
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

/** Returns after how many cells' room each cell ends. */
function endsOf(count: number, spans: readonly number[] | undefined): number[] {
  let end = 0
  return Array.from({ length: count }, (_, at) => (end += spans?.[at] ?? 1))
}

function showAtParent(tip: HTMLElement | null): void {
  if (tip?.parentElement) tip.showPopover({ source: tip.parentElement })
}

/** Shapes that several strips share. */
export const cellShapes = {
  full: (x: number, width = cellWidth) => bar(x, 2, width),
  half: (x: number, width = cellWidth) => bar(x, 9, width),
  outline: (x: number, width = cellWidth) => `M${x + 0.5} .5h${width - 1}v17h${1 - width}z`,
  /** A full cell with a notch on the right. */
  notched: (x: number, width = cellWidth) => `M${x} 0h${width}v6.5l-2.8 2.5l2.8 2.5v6.5h-${width}z`,
  base: (x: number, width = cellWidth) => `M${x} 16.5h${width}`,
}

/** A bar down to the bottom that a stroke of `cellWidth` rounds; a wide one is also filled. */
function bar(x: number, top: number, width: number): string {
  const wide = width - cellWidth
  return `M${x + 2} ${top}${wide > 0 ? `h${wide}` : ''}v${16 - top}${wide > 0 ? `h-${wide}z` : ''}`
}
