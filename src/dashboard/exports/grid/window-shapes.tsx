import { memo, useId } from 'react'
import type { WindowState } from '../../../contract/coverage.ts'
import type { CoveredWindow } from './selection.ts'

type Box = { x: number; y: number; width: number; height: number }

/** Steps of the shade that tells how many rows a completed window had. */
const shades = 5
/** A path is rastered whole for every tile of the page that it touches: small ones touch few. */
const windowsPerPath = 256

type WindowShapesProps = {
  windows: readonly CoveredWindow[]
  boxes: readonly Box[]
}

/** Windows by colour and by shape, one path for some hundred of a kind: ten thousand of them are few elements. */
export const WindowShapes = memo(function WindowShapes({ windows, boxes }: WindowShapesProps) {
  const hatch = useId()
  const most = usualMost(windows)
  const paths: { kind: Kind; from: number; path: string }[] = []
  for (let from = 0; from < windows.length; from += windowsPerPath) {
    const kinds = new Map<Kind, string[]>()
    for (const [index, window] of windows.slice(from, from + windowsPerPath).entries()) {
      const box = boxes[from + index]
      if (box) draw(kinds, window, box, most)
    }
    for (const [kind, path] of kinds) paths.push({ kind, from, path: path.join('') })
  }
  return (
    <>
      <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="1.5" height="5" className="fill-edge" />
      </pattern>
      {paths.map(({ kind, from, path }) => (
        <path key={`${from} ${kind}`} d={path} {...paints(kind, hatch)} />
      ))}
    </>
  )
})

/** One window of a state, for a legend. */
export function WindowSwatch({ state }: { state: WindowState }) {
  const window = { start: 0, end: 0, state, run: null }
  return (
    <svg aria-hidden="true" width="14" height="12" className="inline-block shrink-0">
      <WindowShapes windows={[window]} boxes={swatch} />
    </svg>
  )
}

const swatch = [{ x: 0, y: 0, width: 14, height: 12 }]

type Kind =
  | `rows ${number}`
  | 'short'
  | 'short frame'
  | 'failed'
  | 'missing'
  | 'paused'
  | 'running'
  | 'running rest'
  | 'waiting'
  | 'future'
  | 'outside'

function draw(kinds: Map<Kind, string[]>, { state, run }: CoveredWindow, box: Box, most: number): void {
  const add = (kind: Kind, path: string) => {
    const paths = kinds.get(kind)
    if (paths) paths.push(path)
    else kinds.set(kind, [path])
  }
  const { x, y, width, height } = box
  switch (state) {
    case 'completed': {
      const share = run ? Math.min(1, run.records / most) : 0.8
      return add(`rows ${Math.ceil(share * shades)}`, rounded(box))
    }
    case 'short':
      add('short', `M${x} ${y + height * 0.45}h${width}v${height * 0.55}h${-width}z`)
      return add('short frame', frame(box))
    case 'failed':
      return add(
        'failed',
        `M${x} ${y}h${width}v${height * 0.3}l${-width * 0.35} ${height * 0.2}l${width * 0.35} ${height * 0.2}v${height * 0.3}h${-width}z`,
      )
    case 'running':
      add('running', `M${x} ${y}h${width * 0.6}v${height}h${-width * 0.6}z`)
      return add('running rest', rounded(box))
    case 'waiting':
    case 'due':
      return add('waiting', frame(box))
    case 'missing':
      return add('missing', frame(box))
    case 'paused':
      return add('paused', rounded(box))
    case 'future':
      return add('future', frame(box))
    case 'before':
    case 'after':
      return add('outside', `M${x + width / 2 - 2} ${y + height / 2}h4`)
  }
}

function paints(kind: Kind, hatch: string) {
  switch (kind) {
    case 'short':
      return { className: 'fill-short' }
    case 'short frame':
      return { className: 'fill-none stroke-short' }
    case 'failed':
      return { className: 'fill-fail' }
    case 'missing':
      return { className: 'fill-none stroke-fail stroke-[1.5] [stroke-dasharray:3_2]' }
    case 'paused':
      return { fill: `url(#${hatch})` }
    case 'running':
      return { className: 'fill-run' }
    case 'running rest':
      return { className: 'fill-run opacity-30' }
    case 'waiting':
      return { className: 'fill-none stroke-run stroke-[1.5]' }
    case 'future':
      return { className: 'fill-none stroke-line' }
    case 'outside':
      return { className: 'fill-none stroke-idle' }
    default: {
      const share = 36 + Number(kind.slice('rows '.length)) * (64 / shades)
      return { style: { fill: `color-mix(in oklab, var(--color-ok) ${share}%, var(--color-bg))` } }
    }
  }
}

/** Records that only few windows exceed: one huge backfill must not make all others pale. */
function usualMost(windows: readonly CoveredWindow[]): number {
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
