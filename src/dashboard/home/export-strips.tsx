import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import {
  healthCellHours,
  healthDays,
  healthWindows,
  type HealthStrip,
  type ProjectHealth,
  healthCell,
} from '../../contract/repair/project-health.ts'
import { intervalLength } from '../../contract/interval.ts'
import { ButtonLink } from '../ui/controls/button-link.tsx'
import { Status } from '../ui/status.tsx'
import { Strip } from '../ui/strip.tsx'
import { count, counted } from '../format/amount.ts'
import { Section } from '../ui/section.tsx'
import { exportTones } from '../format/export-state.ts'
import { usePreferences } from '../format/preferences.ts'
import { midnights, windowInWords } from '../format/time.ts'
import { windowStateInWords } from '../format/window-state.ts'
import { CellStrip, cellShapes, type StripLayer } from '../ui/cell-strip.tsx'

const hourMs = 3_600_000
/** Cells that the name of a day needs. */
const nameCells = 7
const columns = 'grid grid-cols-1 gap-x-8 min-[1700px]:grid-cols-2'
/** Width of 56 cells; on a phone, of the last 30. */
const stripWidth = 'w-[279px] shrink-0 max-sm:w-[150px]'

/** The last days of all exports together and of each, those that need attention first. */
export function ExportStrips({ health }: { health: Pick<ProjectHealth, 'strip' | 'exports'> }) {
  const { strip, exports } = health
  const hidden = exports.total - strip.exports.length
  return (
    <Section title={`Last ${healthDays} days`} className="min-w-0">
      <p className="text-xs text-ink-3">Each run exports one window of data, such as an hour or a day.</p>
      <div className={columns}>
        <div>
          <TimeAxis start={strip.start} cells={strip.windows.length} />
          <div className="mb-2 flex items-center gap-3 border-b border-line pb-2">
            <span className="min-w-0 flex-1 font-medium">All {counted(exports.total, 'export')}</span>
            <span className={stripWidth}>
              <ShareStrip strip={strip} />
            </span>
            <span className="w-16 text-right text-xs max-sm:w-12 text-ink-3">to repair</span>
          </div>
        </div>
        <div className="self-end max-[1699px]:hidden">
          <TimeAxis start={strip.start} cells={strip.windows.length} />
        </div>
      </div>
      <ul className={columns}>
        {strip.exports.map((row) => (
          <Row key={row.id} row={row} start={strip.start} />
        ))}
      </ul>
      {hidden > 0 && (
        <p className="mt-2 flex flex-wrap items-center gap-3 text-ink-2">
          {count(hidden)} more, less urgent than these.
          <ButtonLink to="/exports">Show all exports</ButtonLink>
        </p>
      )}
    </Section>
  )
}

const Row = memo(function Row({ row, start }: { row: HealthStrip; start: string }) {
  const { zone } = usePreferences()
  const cells = healthWindows(start, row)
  const label = [...Map.groupBy(cells, ({ state }) => windowStateInWords(state))]
    .map(([words, { length }]) => `${count(length)} ${words}`)
    .join(', ')
  return (
    <li className="flex min-h-9 items-center gap-3 border-b border-line py-1">
      <span className="min-w-0 flex-1">
        <Link
          to="/exports/$id"
          params={{ id: row.id }}
          title={row.name}
          className="block font-medium wrap-anywhere hover:underline max-sm:line-clamp-2 sm:truncate"
        >
          {row.name}
        </Link>
        {row.state !== 'healthy' && (
          <span className="block text-xs">
            <Status tone={exportTones[row.state]}>{row.state}</Status>
          </span>
        )}
      </span>
      <span className={stripWidth}>
        <Strip
          states={cells.map(({ state }) => state)}
          spans={cells.map(({ cells }) => cells)}
          label={`${row.name}, ${isShared(row) ? 'periods by their worst window' : 'windows'}: ${label}`}
          describe={(index) => {
            const cell = cells[index]
            return cell ? `${windowInWords(cell, zone, Date.now())}: ${windowStateInWords(cell.state)}` : ''
          }}
        />
      </span>
      <span
        className="w-16 shrink-0 text-right tabular-nums max-sm:w-12"
        title="Windows missing, failed or short in the last 30 days"
      >
        {row.to_repair === 0 ? (
          <span className="text-ink-3">–</span>
        ) : (
          <span className="text-fail-ink">{count(row.to_repair)}</span>
        )}
      </span>
    </li>
  )
})

/** Whether several windows share a cell. */
function isShared({ interval }: HealthStrip): boolean {
  return intervalLength(interval) < healthCellHours * hourMs
}

/** Names the days, above the strips. */
function TimeAxis({ start: first, cells }: { start: string; cells: number }) {
  const { zone } = usePreferences()
  const start = Date.parse(first)
  const cellMs = healthCellHours * hourMs
  const end = start + cells * cellMs
  return (
    <div aria-hidden="true" className="flex justify-end gap-3 text-[10px] tracking-tight text-ink-3">
      <span className={`relative block h-4 overflow-hidden ${stripWidth}`}>
        <span className="absolute right-0 h-full w-[279px]">
          {midnights({ start, end }, zone).map(({ time, name }) => (
            <span
              key={time}
              className="absolute h-full border-l border-line pl-0.5 leading-4 whitespace-nowrap"
              style={{ left: ((time - start) / cellMs) * 5 }}
            >
              {end - time > nameCells * cellMs && name}
            </span>
          ))}
        </span>
      </span>
      <span className="w-16 max-sm:w-12" />
    </div>
  )
}

/** Windows of all exports that ended in a cell, and how many of them need to be repaired. */
type Cell = { windows: number; toRepair: number }

/** All exports in one strip: the red part of a cell grows with the share of windows to repair. */
function ShareStrip({ strip }: { strip: ProjectHealth['strip'] }) {
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
