import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import {
  decodeHealthStrip,
  healthDays,
  type HealthStrip,
  type ProjectHealth,
} from '../../contract/repair/project-health.ts'
import { ButtonLink } from '../ui/controls/button-link.tsx'
import { Status } from '../ui/status.tsx'
import { Strip } from '../ui/strip.tsx'
import { count, counted } from '../format/amount.ts'
import { exportTones } from '../format/export-tones.ts'
import { usePreferences } from '../format/preferences.ts'
import { windowInWords } from '../format/time.ts'
import { windowStateInWords } from '../format/window-state.ts'
import { ShareStrip } from './ratio-strip.tsx'

/** The last days of all exports together and of each, those that need attention first. */
export function ExportStrips({ health }: { health: Pick<ProjectHealth, 'strip' | 'exports'> }) {
  const { strip, exports } = health
  const hidden = exports.total - strip.exports.length
  return (
    <section aria-labelledby="strips" className="min-w-0">
      <h2 id="strips" className="mb-1.5">
        Last {healthDays} days
      </h2>
      <div className="mb-2 flex items-center gap-3 border-b border-line pb-2">
        <span className="min-w-0 flex-1 font-medium">All {counted(exports.total, 'export')}</span>
        <span className="w-[279px] max-sm:w-[150px]">
          <ShareStrip strip={strip} />
        </span>
        <span className="w-16 text-right text-xs max-sm:w-12 text-ink-3">to repair</span>
      </div>
      <ul className="grid grid-cols-1 gap-x-8 min-[1700px]:grid-cols-2">
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
    </section>
  )
}

const Row = memo(function Row({ row, start }: { row: HealthStrip; start: string }) {
  const { zone } = usePreferences()
  const cells = decodeHealthStrip(start, row.cells)
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
      <span className="w-[279px] shrink-0 max-sm:w-[150px]">
        <Strip
          states={cells.map(({ state }) => state)}
          label={`${row.name}, periods by their worst window: ${label}`}
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
