import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { ExportOverview } from '../../../contract/overview.ts'
import { useAccount } from '../../account.ts'
import { useWaiting } from '../../ui/feedback/send-later.ts'
import { Sparkline } from '../../ui/sparkline.tsx'
import { Switch } from '../../ui/switch.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { count } from '../../words/amount.ts'
import { destinationFormat, destinationPlace } from '../../words/destination.ts'
import { shortInterval } from '../../words/interval.ts'
import { recordsOfDay } from './arrange.ts'
import { cellClass } from './columns.ts'
import { possibleFor, type Deed } from './deeds.ts'
import { RowMenu } from './row-menu.tsx'
import { RowState, ShortRowState } from './row-state.tsx'
import { WindowStrip } from './window-strip.tsx'

export type RowHandlers = {
  /** `range`: everything from the last choice to this row. */
  onSelect: (id: string, range: boolean) => void
  onFocus: (id: string) => void
  onAct: (deed: Deed, rows: readonly ExportOverview[]) => void
}

type ExportRowProps = RowHandlers & {
  row: ExportOverview
  /** Its place in the whole table, for those who do not see it. */
  index: number
  /** When the last window of its strip ended, milliseconds. */
  stripEnd: number
  selected: boolean
  /** The keys act on it. */
  active: boolean
  isTabStop: boolean
  /** The `project` of its pages' addresses; undefined for the first project. */
  project: number | undefined
  /** Shown where the list holds several projects. */
  projectName: string | null
}

export const ExportRow = memo(function ExportRow(props: ExportRowProps) {
  const { row, index, stripEnd, selected, active, isTabStop, project, projectName } = props
  const { onSelect, onFocus, onAct } = props
  const waiting = useWaiting(row.id)
  return (
    <tr
      data-id={row.id}
      aria-rowindex={index}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={() => onFocus(row.id)}
      className={`h-11 scroll-mt-10 scroll-mb-20 -outline-offset-2 ${selected ? 'bg-selected' : 'hover:bg-hover'} ${active ? 'shadow-[inset_2px_0_var(--color-accent)]' : ''} ${waiting === 'delete' ? '[&_a]:line-through' : ''}`}
    >
      <td className={cellClass('select')}>
        <label className="-my-3 -ml-2 flex h-11 items-center pl-2">
          <input
            type="checkbox"
            aria-label={`Select ${row.name}`}
            checked={selected}
            onChange={({ nativeEvent }) =>
              onSelect(row.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        </label>
      </td>
      <td className={cellClass('name')}>
        <Link
          to="/exports/$id"
          params={{ id: row.id }}
          search={{ project }}
          title={row.name}
          className="block truncate font-medium hover:underline"
        >
          {row.name}
        </Link>
        <span className="block truncate text-xs text-ink-3 @max-[600px]:hidden">
          {shortInterval(row.interval)} · {row.has_query ? 'query' : row.model}
          {projectName !== null && ` · ${projectName}`}
        </span>
        <span className="block truncate text-xs @min-[600px]:hidden">
          <ShortRowState row={row} waiting={waiting} />
        </span>
      </td>
      <td className={cellClass('state')}>
        <RowState row={row} waiting={waiting} />
      </td>
      <td className={cellClass('windows')}>
        <WindowStrip strip={row.strip} interval={row.interval} end={stripEnd} />
      </td>
      <td className={cellClass('rows')}>{rowsInWords(row)}</td>
      <td className={cellClass('course')}>
        <Sparkline values={row.records_by_hour} />
      </td>
      <td className={cellClass('next')}>
        <NextRun row={row} />
      </td>
      <td className={cellClass('destination')}>
        <span className="block truncate" title={destinationPlace(row.destination)}>
          <code>{destinationPlace(row.destination)}</code>
        </span>
        <span className="block truncate text-xs text-ink-3">
          {row.destination.type} · {destinationFormat(row.destination)}
        </span>
      </td>
      <td className={cellClass('actions')}>
        <span className="inline-flex items-center gap-1.5 align-middle">
          <PauseSwitch row={row} onAct={onAct} />
          <RowMenu row={row} project={project} onAct={onAct} />
        </span>
      </td>
    </tr>
  )
})

/** What names an export's project in the address of its pages: nothing for the first of them. */
export function projectParameter(
  row: Pick<ExportOverview, 'team_id'>,
  projects: readonly { id: number }[],
): number | undefined {
  return row.team_id === projects[0]?.id ? undefined : row.team_id
}

function PauseSwitch({ row, onAct }: { row: ExportOverview; onAct: RowHandlers['onAct'] }) {
  const { scopes } = useAccount()
  const deed = row.paused ? 'unpause' : 'pause'
  return (
    <Switch
      label={`${row.name}: run on schedule`}
      on={!row.paused}
      reason={possibleFor(deed, [row], scopes).reason}
      onChange={() => onAct(deed, [row])}
    />
  )
}

function NextRun({ row }: { row: ExportOverview }) {
  if (row.next_window) return <RelativeTime time={row.next_window.end} />
  return <span className="text-ink-3">{row.paused ? 'paused' : 'none'}</span>
}

function rowsInWords(row: ExportOverview): string {
  const records = recordsOfDay(row)
  return records === 0 && row.paused ? '–' : count(records)
}
