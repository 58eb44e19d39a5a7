import type { ReactNode } from 'react'
import { useAccount } from '../../account.ts'
import { actionsColumn, type ListColumn } from '../../ui/list/list-column.ts'
import { ListView } from '../../ui/list/list-view.tsx'
import { useList, type ListDescription } from '../../ui/list/use-list.ts'
import { useListKeys } from '../../ui/list/use-list-keys.ts'
import { Sparkline } from '../../ui/sparkline.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { count, counted } from '../../format/amount.ts'
import { errorActions, namedErrors, type ErrorContext, type ErrorRow } from './error-actions.ts'
import { ErrorAssignee, useErrorContext } from './error-assignee.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import type { ErrorCluster } from '../../../contract/recordings/error-cluster.ts'

type ErrorListProps = {
  rows: readonly ErrorRow[]
  /** Identifies the filter. */
  filterKey: string
  onOpen: (row: ErrorRow) => void
}

/** Shows errors, with keys to work through them. */
export function ErrorList({ rows, filterKey, onOpen }: ErrorListProps) {
  const { scopes } = useAccount()
  const { context, dialog } = useErrorContext(onOpen)
  const list = useList({ description: errorList, context, scopes, rows, filterKey })
  useListKeys(list)
  return (
    <>
      <ListView list={list} />
      {dialog}
    </>
  )
}

const columns: readonly ListColumn<ErrorRow, ErrorContext, never>[] = [
  {
    header: 'Error',
    className: '',
    cell: (row, { perform }) => <Message row={row} onOpen={() => perform(errorActions.open, [row])} />,
  },
  {
    header: 'Assignee',
    className: 'w-44 @max-[760px]:hidden',
    cell: (row) => <ErrorAssignee row={row} />,
  },
  {
    header: 'Last 7 days',
    className: 'w-24 @max-[640px]:hidden',
    cell: (row) => <Sparkline values={byDay(row)} />,
  },
  { header: 'Count', end: true, className: 'w-16', cell: (row) => count(row.occurrences) },
  {
    header: 'Sessions',
    end: true,
    className: 'w-20 @max-[520px]:hidden',
    cell: (row) => count(row.unique_sessions),
  },
  {
    header: 'Visitors',
    end: true,
    className: 'w-20 @max-[720px]:hidden',
    cell: (row) =>
      row.visitors === 0 ? (
        <Unknown />
      ) : (
        <span title="In its newest 100 sessions">{count(row.visitors)}</span>
      ),
  },
  {
    header: 'First seen',
    className: 'w-28 pl-3 @max-[1100px]:hidden',
    cellClassName: 'pl-3',
    cell: (row) => <RelativeTime time={row.oldest} />,
  },
  {
    header: 'Last seen',
    className: 'w-28 pl-3 @max-[520px]:hidden',
    cellClassName: 'pl-3',
    cell: (row) => <RelativeTime time={row.newest} />,
  },
  {
    header: 'Watched',
    end: true,
    className: 'w-20 @max-[860px]:hidden',
    cell: ({ viewed, session_ids: { length } }) =>
      length === 0 ? <Unknown /> : `${count(viewed)} of ${count(length)}`,
  },
  { ...actionsColumn, className: 'w-10', cell: (_, { menu }) => menu },
]

const errorList: ListDescription<ErrorRow, ErrorContext> = {
  caption: 'Errors',
  noun: 'error',
  named: namedErrors,
  actions: errorActions,
  paletteId: 'errors',
  columns,
  rowHeight: 64,
  renderAllMax: 50,
}

function Message({ row, onOpen }: { row: ErrorRow; onOpen: () => void }) {
  return (
    <span className="block">
      <span className="flex items-baseline gap-2">
        <button
          type="button"
          onClick={onOpen}
          title={row.sample}
          aria-label={`Show ${row.pattern}`}
          className="line-clamp-2 min-w-0 text-left leading-[18px] wrap-anywhere hover:underline"
        >
          <code>{row.pattern}</code>
        </button>
        {row.assignee && (
          <span className="self-center @min-[761px]:hidden" title={`Assigned to ${row.assignee.name}`}>
            <Avatar name={row.assignee.name} />
            <span className="sr-only">Assigned to {row.assignee.name}</span>
          </span>
        )}
        {row.isNew && <Badge>New</Badge>}
        {row.reopened && <Badge>Reopened</Badge>}
      </span>
      <span className="block truncate text-xs text-ink-3">{where(row)}</span>
    </span>
  )
}

function Badge({ children }: { children: ReactNode }) {
  return (
    <span className="shrink-0 rounded-sm border border-line-strong px-1 text-xs whitespace-nowrap text-ink-2">
      {children}
    </span>
  )
}

type Places = Pick<ErrorRow, 'pages' | 'browsers' | 'unrecorded' | 'session_ids'>

/** Says where an error occurs, and how many of its sessions cannot be watched. */
export function where({ pages, browsers, unrecorded, session_ids }: Places): string {
  const places = [pages, browsers].map((all) => all.map(({ name }) => name).join(', '))
  const gone =
    session_ids.length === 0
      ? 'No recording: deleted, expired or never made'
      : unrecorded > 0 && `${counted(unrecorded, 'session')} without a recording`
  return [...places, gone].filter(Boolean).join(' · ')
}

/** Stands for a number that only recordings could show. */
function Unknown() {
  return (
    <span className="text-ink-3" title="No recording shows it.">
      –
    </span>
  )
}

/** Returns an error's occurrences by day, oldest first. */
export function byDay({ sparkline }: Pick<ErrorCluster, 'sparkline'>): number[] {
  const days = Object.entries(sparkline).sort(([a], [b]) => (a < b ? -1 : 1))
  return days.map(([, amount]) => amount)
}
