import { Link } from '@tanstack/react-router'
import { createContext, memo, use } from 'react'
import type { ExportOverview } from '../../../contract/exports/overview.ts'
import { intervalLength, windowAt, type Interval } from '../../../contract/interval.ts'
import { decodeStates } from '../../../contract/runs/window-state.ts'
import { useAccount } from '../../account.ts'
import { count } from '../../format/amount.ts'
import { flagsInWords, ledgerFlagInWords } from '../../format/ledger-flags.ts'
import { usePreferences } from '../../format/preferences.ts'
import { briefTime, windowInWords } from '../../format/time.ts'
import { windowStateInWords } from '../../format/window-state.ts'
import { Strip } from '../../ui/strip.tsx'
import { projectParameter } from './list-search.ts'

/** The service's time (ISO 8601), at which the strips end. */
export const ServedAt = createContext('')

/** The last windows of an export, as many as fit: a cell for each, above the times at both ends. */
export function LastWindows({ row }: { row: ExportOverview }) {
  const end = windowAt(row.interval, Date.parse(use(ServedAt))).start
  return (
    <span className="@container block">
      <WindowStrip strip={row.strip} interval={row.interval} end={end} flagged={row.flagged} />
      <span className="flex gap-2 text-[11px] leading-4">
        <WindowTimes interval={row.interval} end={end} />
        {row.flagged.length > 0 && <FlaggedLink row={row} />}
      </span>
    </span>
  )
}

/** `strip`: encoded as in the overview; `end`: end (ms) of the last window. */
type WindowStripProps = { strip: string; interval: Interval; end: number; flagged: ExportOverview['flagged'] }

/** Shows the states of an export's last windows. */
const WindowStrip = memo(function WindowStrip({ strip, interval, end, flagged }: WindowStripProps) {
  const { zone } = usePreferences()
  const states = decodeStates(strip)
  const length = intervalLength(interval)
  const indexOf = (start: string) => states.length - Math.round((end - Date.parse(start)) / length)
  const flags = new Map(flagged.map(({ start, flags }) => [indexOf(start), flags]))
  const label = [...Map.groupBy(states, windowStateInWords)]
    .map(([words, { length: amount }]) => `${count(amount)} ${words}`)
    .join(', ')
  return (
    <Strip
      states={states}
      {...(flags.size > 0 && { marked: new Set(flags.keys()) })}
      label={`Last ${states.length} windows: ${label}`}
      describe={(index) => {
        const start = end - (states.length - index) * length
        const window = windowInWords({ start, end: start + length }, zone, Date.now())
        const words = (flags.get(index) ?? []).map((flag) => `, ${ledgerFlagInWords(flag)}`)
        return `${window}: ${windowStateInWords(states[index] ?? 'future')}${words.join('')}`
      }}
    />
  )
})

/** How many windows fit, and the widths at which they do. */
const shownWindows = [
  [48, '@max-[238px]:hidden'],
  [24, '@min-[239px]:hidden @max-[118px]:hidden'],
  [16, '@min-[119px]:hidden'],
] as const

/** Returns the time (ms) `amount` windows before a strip's end. A day's end is one ms earlier, so that its own date names it. */
export function stripTime(interval: Interval, end: number, amount: number): number {
  const length = intervalLength(interval)
  return amount === 0 && length >= intervalLength('day') ? end - 1 : end - amount * length
}

/** The times at both ends of a strip; `end`: end (ms) of the last window. */
function WindowTimes({ interval, end }: Pick<WindowStripProps, 'interval' | 'end'>) {
  const { zone: chosen } = usePreferences()
  // Days and weeks begin at midnight in UTC.
  const zone = intervalLength(interval) < intervalLength('day') ? chosen : 'utc'
  const now = Date.parse(use(ServedAt))
  return (
    <span aria-hidden="true" className="flex grow justify-between gap-1 whitespace-nowrap text-ink-3">
      {shownWindows.map(([amount, className]) => (
        <span key={amount} className={className}>
          {briefTime(stripTime(interval, end, amount), zone, now)}
        </span>
      ))}
      <span>{briefTime(stripTime(interval, end, 0), zone, now)}</span>
    </span>
  )
}

/** Says which flags windows of the strip have, and leads to these windows in the ledger. */
function FlaggedLink({ row }: { row: ExportOverview }) {
  const { projects } = useAccount()
  const { id, name, flagged, interval } = row
  const [first, last] = [flagged[0], flagged.at(-1)]
  if (!first || !last) return null
  const words = flagsInWords(flagged)
  const to = new Date(Date.parse(last.start) + intervalLength(interval)).toISOString()
  return (
    <Link
      to="/exports/$id/ledger"
      params={{ id }}
      search={{ project: projectParameter(row, projects), from: first.start, to }}
      title={words}
      aria-label={`${words}: windows of ${name} in its ledger`}
      className="min-w-0 truncate text-ink-2 hover:underline @max-[118px]:hidden"
    >
      {flagsInWords(flagged, (flag) => flag)}
    </Link>
  )
}
