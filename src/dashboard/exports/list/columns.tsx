import { Link } from '@tanstack/react-router'
import { createContext, use } from 'react'
import type { ExportOverview } from '../../../contract/exports/overview.ts'
import { useAccount } from '../../account.ts'
import { reasonAgainst, type Perform } from '../../ui/list/list-action.ts'
import { actionsColumn, type ListColumn } from '../../ui/list/list-column.ts'
import { Sparkline } from '../../ui/sparkline.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { count } from '../../format/amount.ts'
import { destinationFormat, destinationPlace } from '../../format/destination.ts'
import { shortInterval } from '../../format/interval.ts'
import { exportActions, type ExportContext } from './actions.ts'
import { recordsOfDay } from './arrange.ts'
import { LastWindows } from './last-windows.tsx'
import { projectParameter, type SortKey } from './list-search.ts'
import { RowState, ShortRowState } from './row-state.tsx'

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
    // 48, 24 or 16 cells; names are cut before cells are.
    className: 'w-[251px] @max-[820px]:w-[131px] @max-[480px]:w-[91px]',
    cell: (row) => <LastWindows row={row} />,
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
    className: 'w-15 @max-[1060px]:hidden',
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
    className: 'basis-(--place-width) min-w-28 grow shrink-4 @max-[940px]:hidden @min-[1000px]:min-w-44',
    cell: ({ destination }) => (
      <>
        <span className="block truncate" title={destinationPlace(destination)}>
          <code>{destinationPlace(destination)}</code>
        </span>
        <span className="block truncate text-xs text-ink-3">
          {[destination.type, destinationFormat(destination) ?? 'table'].join(' · ')}
        </span>
      </>
    ),
  },
  {
    ...actionsColumn,
    className: 'w-19',
    cell: (row, { menu, perform }) => (
      <span className="inline-flex items-center gap-1.5 align-middle">
        <PauseSwitch row={row} perform={perform} />
        {menu}
      </span>
    ),
  },
]

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
        {why !== null && <span className="@max-[480px]:hidden"> “{why}”</span>}
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

function PauseSwitch({ row, perform }: CellProps & { perform: Perform<ExportOverview, ExportContext> }) {
  const { scopes } = useAccount()
  const action = row.paused ? exportActions.unpause : exportActions.pause
  return (
    <Switch
      label={`${row.name}: run on schedule`}
      on={!row.paused}
      reason={reasonAgainst(action, [row], scopes)}
      onChange={() => perform(action, [row])}
    />
  )
}
