import type { RecordingOrder } from '../../../contract/recordings/recording-filter.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { RelativeTime } from '../../ui/time.tsx'
import { count } from '../../format/amount.ts'
import { clockTime } from '../../format/clock.ts'
import { DeviceIcons } from '../facts/device-icons.tsx'
import { ActivityStrip } from '../facts/activity-strip.tsx'
import { pathInWords, problemCounts } from '../facts/facts-words.ts'
import { type Density, useViewPreference, ViewControls } from './view-controls.tsx'
import {
  MainActions,
  Matched,
  MatchedPath,
  Name,
  Problems,
  Thumbnail,
  useMoments,
  type CellProps,
} from './recording-cells.tsx'
import { Path } from './path.tsx'
import { useDeferredValue, type ReactNode } from 'react'
import { actionsColumn, type ListColumn } from '../../ui/list/list-column.ts'
import type { RecordingContext } from './actions.ts'

export type RecordingColumn = ListColumn<SessionRecording, RecordingContext, RecordingOrder> & {
  /** Width (px) of the narrowest table that shows the column unasked; Infinity if it is shown only when chosen. */
  from?: number
  /** The part of a row that the column shows; omitted for columns that are always shown. */
  value?: (row: SessionRecording) => unknown
}

type View = {
  rows: readonly SessionRecording[]
  /** Width (px) of the table. */
  width: number
  /** Headers of the chosen columns; null if none were chosen. */
  chosen: readonly string[] | null
  order: RecordingOrder
}

/**
 * Returns the columns to show: the chosen ones, else those for which the table is wide enough and in which the rows differ.
 * The column that sorts the list is shown in any case.
 */
export function shownColumns(columns: readonly RecordingColumn[], { rows, width, chosen, order }: View) {
  return columns.filter(({ header, from = 0, value, sort }) => {
    if (!value) return true
    if (chosen) return chosen.includes(header)
    return width >= from && (sort === order || differ(rows, value))
  })
}

/**
 * A single row has nothing to differ from, so its columns stay. Reads no more values than needed: there may be many rows.
 */
function differ([first, ...others]: readonly SessionRecording[], value: (row: SessionRecording) => unknown) {
  if (!first || others.length === 0) return true
  const expected = value(first)
  return others.some((row) => value(row) !== expected)
}

/** The columns of the table in their order. */
export function columnsOf(density: Density): readonly RecordingColumn[] {
  return density === 'roomy' ? roomyColumns : compactColumns
}

/** The only column of a table too narrow for columns. */
export const cardColumns: readonly RecordingColumn[] = [
  {
    header: 'Recording',
    className: '',
    controls: <ViewControls />,
    cell: (row, place) => <RecordingCard row={row} place={place} />,
  },
]

const name: RecordingColumn = {
  header: 'Visitor',
  className: 'w-[222px] @max-[820px]:w-[180px] @min-[1150px]:w-60',
  cell: (row, place) => <Name row={row} place={place} />,
}

const path: RecordingColumn = {
  header: 'Path',
  className: '',
  value: pathInWords,
  cell: (row, place) => <MatchedPath row={row} place={place} />,
}

const problems: RecordingColumn = {
  header: 'What went wrong',
  from: 900,
  className: 'w-[20%]',
  // The path takes the width of an empty cell.
  cellClassName: 'empty:w-0 empty:p-0',
  value: (row) => (row.facts ? row.facts.problems.length > 0 && row.id : problemCounts(row)),
  cell: (row, place) => <Problems row={row} place={place} shown={1} lines="line-clamp-2" />,
}

const started: RecordingColumn = {
  header: 'Started',
  sort: 'start_time',
  className: 'w-20 @min-[1150px]:w-21',
  value: ({ start_time }) => start_time,
  cell: (row) => <RelativeTime time={row.start_time} />,
}

const activity: RecordingColumn = {
  header: 'Activity',
  className: 'w-30 @min-[1150px]:w-[192px] @min-[1500px]:w-[220px]',
  value: ({ id }) => id,
  cell: (row) => (
    <Deferred>
      <ActivityStrip recording={row} />
    </Deferred>
  ),
}

const duration = number('Duration', 'recording_duration', 0, 'w-18', clock)

const numbers: readonly RecordingColumn[] = [
  {
    ...number('Errors', 'console_error_count', 1150),
    cell: ({ console_error_count: errors }) => (
      <span className={errors > 0 ? 'text-fail-ink' : 'text-ink-3'}>{count(errors)}</span>
    ),
  },
  number('Clicks', 'click_count', 1250),
  number('Keys', 'keypress_count', 1400),
  number('Mouse', 'mouse_activity_count', Infinity),
  number('Active', 'active_seconds', Infinity, 'w-18', clock),
  number('Idle', 'inactive_seconds', Infinity, 'w-18', clock),
  {
    header: 'Watched',
    from: Infinity,
    className: 'w-24',
    value: ({ viewed }) => viewed,
    cell: ({ viewed }) =>
      viewed === '' ? <span className="text-ink-3">not yet</span> : <RelativeTime time={viewed} />,
  },
]

const device: RecordingColumn = {
  header: 'Device',
  // In a narrower table, the path and the problems need the room.
  from: 1100,
  className: 'w-19',
  value: ({ facts }) => facts && [facts.browser, facts.os, facts.device, facts.country].join(),
  cell: ({ facts }) =>
    facts && (
      <Deferred>
        <DeviceIcons device={facts} />
      </Deferred>
    ),
}

const actions: RecordingColumn = {
  ...actionsColumn,
  className: 'w-23',
  controls: <ViewControls />,
  cell: (row, place) => (
    <Deferred>
      <span className="flex items-center justify-end gap-0.5">
        <span className="hidden gap-0.5 in-[tr:hover]:flex in-[tr[data-active]]:flex [@media(hover:none)]:flex">
          <MainActions row={row} place={place} size="icon" />
        </span>
        {place.menu}
      </span>
    </Deferred>
  ),
}

const compactColumns = [name, started, activity, duration, path, problems, ...numbers, device, actions]

const roomyColumns: RecordingColumn[] = [
  {
    header: 'Moment',
    className: 'w-37',
    cell: (row, place) => <Thumbnail row={row} place={place} className="h-[76px] w-32" />,
  },
  {
    ...name,
    className: 'w-[210px] @min-[1150px]:w-72 @min-[1500px]:w-96',
    cell: (row, place) => (
      <>
        <Name row={row} place={place} />
        <span className="mt-0.5 line-clamp-3 pl-3 text-xs text-ink-2">{row.facts?.summary}</span>
      </>
    ),
  },
  started,
  duration,
  {
    ...activity,
    className: '',
    cell: (row, place) => (
      <span className="flex flex-col gap-1">
        <ActivityStrip recording={row} />
        <Matched row={row} place={place} />
        <Path row={row} />
      </span>
    ),
  },
  {
    ...problems,
    className: 'w-[21%]',
    cell: (row, place) => <Problems row={row} place={place} shown={3} lines="block truncate" />,
  },
  ...numbers.map((column) => ({ ...column, from: (column.from ?? 0) + 500 })),
  device,
  actions,
]

/** A column for a number of each recording, shown from this width of the table. */
function number(
  header: string,
  sort: Exclude<RecordingOrder, 'start_time'>,
  from: number,
  className = 'w-16',
  format = count,
): RecordingColumn {
  const value = (row: SessionRecording) => row[sort]
  return { header, sort, end: true, from, className, value, cell: (row) => format(value(row)) }
}

function clock(seconds: number): string {
  return clockTime(seconds * 1000)
}

/** Renders its children after everything else, in a render that a scroll interrupts. */
function Deferred({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) ? children : null
}

/** A recording in a narrow window. */
function RecordingCard({ row, place }: CellProps) {
  const { density } = useViewPreference()
  const isMatched = useMoments(row).length > 0
  return (
    <div className="flex min-w-0 flex-col gap-1 py-2">
      <span className="flex items-baseline justify-between gap-2">
        <Name row={row} place={place} />
        <span className="shrink-0 text-ink-3">
          <RelativeTime time={row.start_time} />
        </span>
      </span>
      {isMatched ? <Matched row={row} place={place} /> : <Path row={row} />}
      <span className="flex items-center gap-2">
        <span className="min-w-0 flex-1">
          <ActivityStrip recording={row} />
        </span>
        {clock(row.recording_duration)}
      </span>
      <span className="flex h-5 min-w-0 items-center justify-between gap-2">
        <Problems row={row} place={place} shown={1} lines="block truncate" />
        {row.facts && <DeviceIcons device={row.facts} />}
      </span>
      <span className="flex items-center gap-1.5">
        <MainActions row={row} place={place} />
        <span className="ml-auto">{place.menu}</span>
      </span>
      {density === 'roomy' && <Thumbnail row={row} place={place} className="h-36" />}
    </div>
  )
}
