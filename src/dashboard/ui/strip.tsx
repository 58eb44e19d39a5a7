import { memo } from 'react'
import type { WindowState } from '../../contract/runs/window-state.ts'
import { CellStrip, cellShapes, type StripLayer } from './cell-strip.tsx'

type StripProps = {
  /** Oldest first. */
  states: readonly WindowState[]
  /** Indexes of windows that need inspection. */
  marked?: ReadonlySet<number>
  /** Text alternative for screen readers. */
  label: string
  /** Returns the tooltip of the cell under the pointer. */
  describe: (index: number) => string
}

/** The states of an export's windows as a strip. */
export const Strip = memo(function Strip({ states, ...rest }: StripProps) {
  return <CellStrip cells={states} layers={layers} {...rest} />
})

const { full, half, outline, notched, base } = cellShapes

const round = 'stroke-4 [stroke-linecap:round]'

const layers: readonly StripLayer<WindowState>[] = [
  layer(['completed'], full, `stroke-ok ${round}`),
  layer(['short'], half, `stroke-short ${round}`),
  layer(['failed'], notched, 'fill-fail'),
  layer(['running'], full, `stroke-run opacity-35 ${round}`),
  layer(['running'], half, `stroke-run ${round}`),
  layer(['waiting', 'due'], outline, 'stroke-run stroke-1'),
  layer(['missing'], outline, 'stroke-fail stroke-1 [stroke-dasharray:2.5_1.5]'),
  layer(['paused'], (x) => [5, 10, 15].map((y) => `M${x} ${y}l4 -4`).join(''), 'stroke-edge stroke-1'),
  layer(['before', 'after', 'future'], base, 'stroke-idle stroke-3'),
]

function layer(of: readonly WindowState[], draw: StripLayer<WindowState>['draw'], className: string) {
  return { has: (state: WindowState) => of.includes(state), draw, className }
}
