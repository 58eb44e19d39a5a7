import { healthCell, type ProjectHealth } from '../../contract/repair/project-health.ts'
import { CellStrip, cellShapes, type StripLayer } from '../ui/cell-strip.tsx'
import { count, counted } from '../format/amount.ts'
import { usePreferences } from '../format/preferences.ts'
import { windowInWords } from '../format/time.ts'

/** Windows of all exports that ended in a cell, and how many of them need to be repaired. */
type Cell = { windows: number; toRepair: number }

/** All exports in one strip: the red part of a cell grows with the share of windows to repair. */
export function ShareStrip({ strip }: { strip: ProjectHealth['strip'] }) {
  const { zone } = usePreferences()
  const cells = strip.windows.map((windows, index): Cell => ({
    windows,
    toRepair: strip.to_repair[index] ?? 0,
  }))
  const sum = (of: keyof Cell) => cells.reduce((total, cell) => total + cell[of], 0)
  return (
    <CellStrip
      cells={cells}
      layers={layers}
      label={`All exports: ${count(sum('toRepair'))} of ${counted(sum('windows'), 'window')} missing, failed or short`}
      describe={(index) => {
        const { windows, toRepair } = cells[index] ?? { windows: 0, toRepair: 0 }
        const period = windowInWords(healthCell(strip.start, index), zone, Date.now())
        return `${period}: ${windows === 0 ? 'no windows' : `${count(toRepair)} of ${counted(windows, 'window')} missing, failed or short`}`
      }}
    />
  )
}

const shareOf = ({ windows, toRepair }: Cell) => toRepair / Math.max(1, windows)
const { full, base } = cellShapes

const layers: readonly StripLayer<Cell>[] = [
  { has: ({ windows }) => windows === 0, draw: base, className: 'stroke-idle stroke-3' },
  {
    has: ({ windows, toRepair }) => windows > 0 && toRepair === 0,
    draw: full,
    className: 'stroke-ok stroke-4 [stroke-linecap:round]',
  },
  ...part('few', 0, 0.1, 12),
  ...part('some', 0.1, 0.5, 8),
  ...part('most', 0.5, Infinity, 0),
]

/** A cell with windows to repair: what is complete above `from`, the rest below. */
function part(name: string, over: number, upTo: number, from: number): StripLayer<Cell>[] {
  const has = (cell: Cell) => shareOf(cell) > over && shareOf(cell) <= upTo
  const red = { has, draw: (x: number) => `M${x} ${from}h4v${18 - from}h-4z`, className: `fill-fail ${name}` }
  return from === 0
    ? [red]
    : [{ has, draw: (x) => `M${x} 0h4v${from - 1}h-4z`, className: `fill-ok ${name}` }, red]
}
