import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../contract/endpoints.ts'
import { healthCell, healthCellHours, type ProjectHealth } from '../../contract/repair/project-health.ts'
import { LastWindows, ServedAt } from '../exports/list/last-windows.tsx'
import { count, counted } from '../format/amount.ts'
import { exportTones } from '../format/export-state.ts'
import { usePreferences } from '../format/preferences.ts'
import { midnights, windowInWords } from '../format/time.ts'
import { ButtonLink } from '../ui/controls/button-link.tsx'
import { CellStrip, cellShapes, type StripLayer } from '../ui/cell-strip.tsx'
import { Section } from '../ui/section.tsx'
import { Status } from '../ui/status.tsx'

const cellMs = healthCellHours * 3_600_000
/** Cells that the name of a day needs. */
const nameCells = 7

type ExportStripsProps = {
  health: Pick<ProjectHealth, 'most_urgent' | 'strip' | 'exports'>
  /** Has the windows of the exports; undefined until it is fetched. */
  overview: ResponseOf<'overviewOfBatchExports'> | undefined
}

/** The last days of all exports together, and the last windows of the most urgent ones. */
export function ExportStrips({
  health: { most_urgent: urgent, strip, exports },
  overview,
}: ExportStripsProps) {
  const rows = new Map(overview?.results.map((row) => [row.id, row]))
  const hidden = exports.total - urgent.length
  return (
    <Section title="Exports" className="min-w-0">
      <p className="mb-1.5 text-xs text-ink-3">
        Each run exports one window of data, such as an hour or a day. A cell is a window; in the first row,{' '}
        {healthCellHours} hours.
      </p>
      <ul>
        <Row name={`All ${counted(exports.total, 'export')}`} toRepair={exports.to_repair}>
          <span className="ml-auto block w-[279px] max-sm:w-[149px]">
            <ShareStrip strip={strip} />
            <DayNames strip={strip} />
          </span>
        </Row>
        <ServedAt value={overview?.at ?? ''}>
          {urgent.map(({ id, name, state, to_repair: toRepair }) => {
            const row = rows.get(id)
            const link = (
              <Link
                to="/exports/$id"
                params={{ id }}
                title={name}
                className="line-clamp-2 font-medium wrap-anywhere hover:underline"
              >
                {name}
              </Link>
            )
            return (
              <Row key={id} name={link} state={state} toRepair={toRepair}>
                <span className="ml-auto block w-[239px] max-sm:w-[119px]">
                  {row && <LastWindows row={row} />}
                </span>
              </Row>
            )
          })}
        </ServedAt>
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

type RowProps = {
  name: ReactNode
  state?: ProjectHealth['most_urgent'][number]['state']
  toRepair: number
  children: ReactNode
}

function Row({ name, state, toRepair, children }: RowProps) {
  return (
    <li className="flex min-h-11 items-center gap-3 border-b border-line py-1">
      <span className="min-w-0 flex-1">
        {name}
        {state && state !== 'healthy' && (
          <span className="block text-xs">
            <Status tone={exportTones[state]}>{state}</Status>
          </span>
        )}
      </span>
      <span className="shrink-0">{children}</span>
      <span
        className="w-16 shrink-0 text-right text-xs text-ink-3 max-sm:w-12"
        title="Windows missing, failed or short in the last 30 days"
      >
        {toRepair === 0 ? (
          '–'
        ) : (
          <>
            <span className="block text-base text-fail-ink tabular-nums">{count(toRepair)}</span>
            to repair
          </>
        )}
      </span>
    </li>
  )
}

/** Names the days, below the strip of all exports. */
function DayNames({ strip }: { strip: ProjectHealth['strip'] }) {
  const { zone } = usePreferences()
  const start = Date.parse(strip.start)
  const end = start + strip.windows.length * cellMs
  return (
    <span
      aria-hidden="true"
      className="relative block h-4 overflow-hidden text-[10px] tracking-tight text-ink-3"
    >
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
