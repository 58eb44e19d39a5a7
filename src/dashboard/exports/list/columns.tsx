import { Link } from '@tanstack/react-router'
import { createContext, memo, use } from 'react'
import { decodeStates } from '../../../contract/runs/window-state.ts'
import { intervalLength, windowAt, type Interval } from '../../../contract/interval.ts'
import type { ExportOverview } from '../../../contract/exports/overview.ts'
import { useAccount } from '../../account.ts'
import { possibleFor, type Perform } from '../../ui/list/list-action.ts'
import type { ListColumn } from '../../ui/list/list-column.ts'
import { Sparkline } from '../../ui/sparkline.tsx'
import { Strip } from '../../ui/strip.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { count } from '../../format/amount.ts'
import { destinationFormat, destinationPlace } from '../../format/destination.ts'
import { flagsInWords, ledgerFlagInWords } from '../../format/ledger-flags.ts'
import { shortInterval } from '../../format/interval.ts'
import { usePreferences } from '../../format/preferences.ts'
import { briefTime, windowInWords } from '../../format/time.ts'
import { windowStateInWords } from '../../format/window-state.ts'
import { exportActions, type ExportContext } from './actions.ts'
import { recordsOfDay } from './arrange.ts'
import type { SortKey } from './list-search.ts'
import { RowState, ShortRowState } from './row-state.tsx'

/** The service's time (ISO 8601), at which the strips end. */
export const ServedAt = createContext('')

/** Whether the list spans several projects, so that each row names its project. */
export const ShowsProjects = createContext(false)

export const exportColumns: readonly ListColumn<ExportOverview, ExportContext, SortKey>[] = [
  {
    header: 'Name',
    sort: 'name',
    className: 'basis-(--name-width) grow-4',
    cell: (row) => <Name row={row} />,
  },
  {
    header: 'State',
    sort: 'state',
    className: 'w-27 @max-[600px]:hidden',
    cell: (row) => <RowState row={row} />,
  },
  {
    header: 'Last 48 windows',
    short: 'Windows',
    sort: 'windows',
    // 48, 24 or 12 cells; names are cut before cells are.
    className: 'w-[251px] @max-[820px]:w-[131px] @max-[480px]:w-[71px]',
    cell: (row) => <Windows row={row} />,
  },
  {
    header: 'Rows, 24 h',
    sort: 'rows',
    end: true,
    className: 'w-21 @max-[480px]:hidden',
    cell: (row) => (row.paused && recordsOfDay(row) === 0 ? '–' : count(recordsOfDay(row))),
  },
  {
    header: 'Rows per hour',
    silent: true,
    className: 'w-15 @max-[1000px]:hidden',
    cell: (row) => <Sparkline values={row.records_by_hour} />,
  },
  {
    header: 'Next run',
    sort: 'next',
    className: 'w-20 @max-[720px]:hidden',
    cell: ({ next_window: next, paused }) =>
      next ? (
        <RelativeTime time={next.end} />
      ) : (
        <span className="text-ink-3">{paused ? 'paused' : 'none'}</span>
      ),
  },
  {
    header: 'Destination',
    sort: 'destination',
    className: 'basis-(--place-width) min-w-28 grow shrink-4 @max-[940px]:hidden',
    cell: ({ destination }) => (
      <>
        <span className="block truncate" title={destinationPlace(destination)}>
          <code>{destinationPlace(destination)}</code>
        </span>
        <span className="block truncate text-xs text-ink-3">
          {destination.type} · {destinationFormat(destination)}
        </span>
      </>
    ),
  },
  {
    header: 'Actions',
    silent: true,
    end: true,
    className: 'w-19',
    cell: (row, { menu, perform }) => (
      <span className="inline-flex items-center gap-1.5 align-middle">
        <PauseSwitch row={row} perform={perform} />
        {menu}
      </span>
    ),
  },
]

/** Returns the `project` parameter in the URL of an export's pages; undefined for the first project. */
export function projectParameter(row: { team_id: number }, projects: readonly { id: number }[]) {
  return row.team_id === projects[0]?.id ? undefined : row.team_id
}

type CellProps = { row: ExportOverview }

function Name({ row }: CellProps) {
  const { projects } = useAccount()
  const showsProjects = use(ShowsProjects)
  const why = row.pause_reason ?? row.paused_because
  const project = showsProjects && projects.find(({ id }) => id === row.team_id)
  return (
    <>
      <Link
        to="/exports/$id"
        params={{ id: row.id }}
        search={{ project: projectParameter(row, projects) }}
        title={row.name}
        className="block truncate font-medium hover:underline"
      >
        {row.name}
      </Link>
      <span className="block truncate text-xs text-ink-3 @max-[600px]:hidden" title={labelsInWords(row)}>
        {row.changed_since_apply && <span className="text-short-ink">changed since applied · </span>}
        {shortInterval(row.interval)} · {row.has_query ? 'query' : row.model}
        {project && ` · ${project.name}`}
        {why !== null && <span className="ml-1.5 text-ink">“{why}”</span>}
        {row.owner && ` · ${row.owner}`}
        {row.tags.map((tag) => (
          <span key={tag} className="ml-1.5 rounded-sm bg-hover px-1 py-px text-ink-2">
            {tag}
          </span>
        ))}
        {row.note && <span className="ml-1.5">{row.note}</span>}
      </span>
      <span className="block truncate text-xs @min-[600px]:hidden">
        <ShortRowState row={row} />
        {why !== null && ` “${why}”`}
      </span>
    </>
  )
}

/** Returns the labels and why the export is paused for a tooltip; undefined without any. */
function labelsInWords(row: ExportOverview): string | undefined {
  const { owner, tags, note, pause_reason, paused_because } = row
  const lines = [
    pause_reason ?? paused_because,
    owner && `Owner: ${owner}`,
    tags.length > 0 && `Tags: ${tags.join(', ')}`,
    note,
  ]
  return lines.filter((line) => line).join('\n') || undefined
}

function Windows({ row }: CellProps) {
  const end = windowAt(row.interval, Date.parse(use(ServedAt))).start
  return (
    <>
      <WindowStrip strip={row.strip} interval={row.interval} end={end} flagged={row.flagged} />
      <span className="flex gap-2 text-[11px] leading-4 @max-[480px]:hidden">
        <WindowTimes interval={row.interval} end={end} />
        {row.flagged.length > 0 && <FlaggedLink row={row} />}
      </span>
    </>
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

/** Of how many windows a strip shows, and the list's widths at which it does. */
const shownWindows = [
  [48, '@max-[820px]:hidden'],
  [24, 'hidden @max-[820px]:inline'],
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
    <span aria-hidden="true" className="flex grow justify-between gap-2 whitespace-nowrap text-ink-3">
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
function FlaggedLink({ row }: CellProps) {
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
      className="min-w-0 truncate text-ink-2 hover:underline"
    >
      {flagsInWords(flagged, (flag) => flag)}
    </Link>
  )
}

function PauseSwitch({ row, perform }: CellProps & { perform: Perform<ExportOverview, ExportContext> }) {
  const { scopes } = useAccount()
  const action = row.paused ? exportActions.unpause : exportActions.pause
  return (
    <Switch
      label={`${row.name}: run on schedule`}
      on={!row.paused}
      reason={possibleFor(action, [row], scopes).reason}
      onChange={() => perform(action, [row])}
    />
  )
}
