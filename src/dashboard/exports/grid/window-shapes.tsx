import { memo, useId } from 'react'
import type { WindowState } from '../../../contract/runs/window-state.ts'
import type { Box } from './geometry.ts'
import type { CoveredWindow } from './window-selection.ts'

/** Number of shades that show how many rows a completed window has. */
const shadeCount = 5
/** Windows drawn by one path. Browsers raster a path once per page tile that it touches, so paths must stay small. */
const windowsPerPath = 256

type WindowShapesProps = { windows: readonly CoveredWindow[]; boxes: readonly Box[] }

/** Draws windows by colour and shape; one path draws many windows of a kind, so ten thousand windows need few elements. */
export const WindowShapes = memo(function WindowShapes({ windows, boxes }: WindowShapesProps) {
  const hatch = useId()
  const recordsHigh = highRecords(windows)
  const paths: { look: string; from: number; path: string }[] = []
  for (let from = 0; from < windows.length; from += windowsPerPath) {
    const shapes = windows.slice(from, from + windowsPerPath).flatMap((window, index) => {
      const box = boxes[from + index]
      return box ? shapesOf(window, recordsHigh).map(([look, draw]) => ({ look, path: draw(box) })) : []
    })
    for (const [look, same] of Map.groupBy(shapes, (shape) => shape.look))
      paths.push({ look, from, path: same.map(({ path }) => path).join('') })
  }
  return (
    <>
      <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="1.5" height="5" className="fill-edge" />
      </pattern>
      {paths.map(({ look, from, path }) => (
        <path key={`${from} ${look}`} d={path} {...paintOf(look, hatch)} />
      ))}
    </>
  )
})

/** Draws one window of a state, for a legend. */
export function WindowSwatch({ state }: { state: WindowState }) {
  const window = { start: 0, end: 0, state, run: null }
  return (
    <svg aria-hidden="true" width="14" height="12" className="inline-block shrink-0">
      <WindowShapes windows={[window]} boxes={swatch} />
    </svg>
  )
}

/** Marks the corners of flagged windows, in the colour of text, so that the mark shows on every state. */
export function FlagMarks({ boxes }: { boxes: readonly Box[] }) {
  if (boxes.length === 0) return null
  const path = boxes.map(({ x, y, width, height }) => {
    const size = Math.max(5, Math.min(9, width * 0.5, height * 0.6))
    return `M${x + width - size} ${y}h${size}v${size}z`
  })
  return <path d={path.join('')} className="fill-ink stroke-bg stroke-[0.75]" />
}

/** Draws the mark of a flagged window, for a legend. */
export function FlagSwatch() {
  return (
    <svg aria-hidden="true" width="9" height="12" className="inline-block shrink-0">
      <path d="M0 1h9v9z" className="fill-ink" />
    </svg>
  )
}

const swatch = [{ x: 0, y: 0, width: 14, height: 12 }]

/** The look of a shape, which is its classes, `hatch` or `shade 1` to `shade 5`, and how it is drawn. */
type Shape = readonly [look: string, draw: (box: Box) => string]

const dash: Shape = [
  'fill-none stroke-idle',
  ({ x, y, width, height }) => `M${x + width / 2 - 2} ${y + height / 2}h4`,
]
const waiting: Shape = ['fill-none stroke-run stroke-[1.5]', frame]

const shapes: Record<Exclude<WindowState, 'completed'>, readonly Shape[]> = {
  short: [
    [
      'fill-short',
      ({ x, y, width, height }) => `M${x} ${y + height * 0.45}h${width}v${height * 0.55}h${-width}z`,
    ],
    ['fill-none stroke-short', frame],
  ],
  failed: [
    [
      'fill-fail',
      ({ x, y, width, height }) => {
        const notch = Math.min(width * 0.35, 12)
        return `M${x} ${y}h${width}v${height * 0.3}l${-notch} ${height * 0.2}l${notch} ${height * 0.2}v${height * 0.3}h${-width}z`
      },
    ],
  ],
  running: [
    ['fill-run', ({ x, y, width, height }) => `M${x} ${y}h${width * 0.6}v${height}h${-width * 0.6}z`],
    ['fill-run opacity-30', rounded],
  ],
  waiting: [waiting],
  due: [waiting],
  missing: [['fill-none stroke-fail stroke-[1.5] [stroke-dasharray:3_2]', frame]],
  paused: [['hatch', rounded]],
  future: [['fill-none stroke-line-strong', frame]],
  before: [dash],
  after: [dash],
}

function shapesOf({ state, run }: CoveredWindow, recordsHigh: number): readonly Shape[] {
  if (state !== 'completed') return shapes[state]
  const share = run ? Math.min(1, run.records / recordsHigh) : 0.8
  return [[`shade ${Math.ceil(share * shadeCount)}`, rounded]]
}

function paintOf(look: string, hatch: string) {
  if (look === 'hatch') return { fill: `url(#${hatch})` }
  if (!look.startsWith('shade ')) return { className: look }
  const share = 36 + Number(look.slice('shade '.length)) * (64 / shadeCount)
  return { style: { fill: `color-mix(in oklab, var(--color-ok) ${share}%, var(--color-bg))` } }
}

/** Returns the 95th percentile of records: one huge window must not make all others pale. */
function highRecords(windows: readonly CoveredWindow[]): number {
  const records = windows.flatMap(({ state, run }) => (state === 'completed' && run ? [run.records] : []))
  records.sort((a, b) => a - b)
  return Math.max(1, records[Math.floor(records.length * 0.95)] ?? 1)
}

function rounded({ x, y, width, height }: Box): string {
  if (width < 9 || height < 9) return `M${x} ${y}h${width}v${height}h${-width}z`
  const radius = 2
  const corner = (dx: number, dy: number) => `a${radius} ${radius} 0 0 1 ${dx} ${dy}`
  return `M${x + radius} ${y}h${width - 2 * radius}${corner(radius, radius)}v${height - 2 * radius}${corner(-radius, radius)}h${2 * radius - width}${corner(-radius, -radius)}v${2 * radius - height}${corner(radius, -radius)}z`
}

function frame({ x, y, width, height }: Box): string {
  return `M${x + 0.75} ${y + 0.75}h${width - 1.5}v${height - 1.5}h${1.5 - width}z`
}
