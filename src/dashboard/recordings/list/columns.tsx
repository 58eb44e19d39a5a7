import { Link } from '@tanstack/react-router'
import { createContext, use } from 'react'
import type { RecordingOrder } from '../../../contract/recording-filter.ts'
import type { SessionRecording } from '../../../contract/session-recording.ts'
import { useWaiting } from '../../ui/feedback/send-later.ts'
import type { ListColumn } from '../../ui/list/list-column.ts'
import { RelativeTime } from '../../ui/time.tsx'
import { count } from '../../words/amount.ts'
import { clockTime } from '../../words/clock.ts'
import { recordingName } from '../../words/recording-name.ts'
import { VisitMark } from './visit-mark.tsx'
import type { RecordingContext } from './actions.ts'

/** The list's query string, without the question mark. */
export const ListAddress = createContext('')

export const recordingColumns: readonly ListColumn<SessionRecording, RecordingContext, RecordingOrder>[] = [
  { header: 'Person', className: '', cell: (row, { index }) => <Person row={row} index={index} /> },
  {
    header: 'Started',
    sort: 'start_time',
    className: 'w-22',
    cell: (row) => <RelativeTime time={row.start_time} />,
  },
  {
    header: 'Duration',
    sort: 'recording_duration',
    className: 'w-[152px] @max-[520px]:w-18',
    cell: (row) => (
      <span className="flex items-center gap-2.5">
        <span className="@max-[520px]:hidden">
          <ActivityBar shares={row.activity} />
        </span>
        {clock(row.recording_duration)}
      </span>
    ),
  },
  {
    header: 'Active',
    sort: 'active_seconds',
    end: true,
    className: 'w-18 @max-[1100px]:hidden',
    cell: (row) => clock(row.active_seconds),
  },
  {
    header: 'Idle',
    sort: 'inactive_seconds',
    end: true,
    className: 'w-18 @max-[1200px]:hidden',
    cell: (row) => clock(row.inactive_seconds),
  },
  {
    header: 'Clicks',
    sort: 'click_count',
    end: true,
    className: 'w-18 @max-[600px]:hidden',
    cell: (row) => count(row.click_count),
  },
  {
    header: 'Keys',
    sort: 'keypress_count',
    end: true,
    className: 'w-18 @max-[760px]:hidden',
    cell: (row) => count(row.keypress_count),
  },
  {
    header: 'Mouse',
    sort: 'mouse_activity_count',
    end: true,
    className: 'w-18 @max-[1300px]:hidden',
    cell: (row) => count(row.mouse_activity_count),
  },
  {
    header: 'Errors',
    sort: 'console_error_count',
    end: true,
    className: 'w-18 @max-[520px]:hidden',
    cell: ({ console_error_count: errors }) => (
      <span className={errors > 0 ? 'text-fail-ink' : 'text-ink-3'}>{count(errors)}</span>
    ),
  },
  {
    header: 'First page',
    className: 'w-[20%] @max-[860px]:hidden',
    cell: (row) => (
      <span className="block truncate" title={row.start_url}>
        {pagePath(row.start_url)}
      </span>
    ),
  },
  {
    header: 'Watched',
    className: 'w-24 @max-[680px]:hidden',
    cell: ({ viewed }) =>
      viewed === '' ? <span className="text-ink-3">not yet</span> : <RelativeTime time={viewed} />,
  },
  { header: 'Actions', silent: true, end: true, className: 'w-10', cell: (_, { menu }) => menu },
]

function Person({ row, index }: { row: SessionRecording; index: number }) {
  const list = use(ListAddress)
  const waiting = useWaiting(row.id)
  const name = recordingName(row)
  const notes = [
    waiting === 'delete' && 'about to be deleted',
    row.ongoing && 'ongoing',
    row.snapshot_source === 'mobile' && 'mobile',
    row.storage === 'object_storage_lts' && 'kept',
  ].filter(Boolean)
  return (
    <span className="flex items-baseline gap-2 @max-[520px]:block">
      <Link
        to="/recordings/$id"
        params={{ id: row.id }}
        search={{ list: list || undefined, row: index }}
        preload={false}
        title={row.distinct_id}
        className={`block truncate hover:underline ${row.person.name ? 'font-medium' : ''}`}
      >
        <VisitMark distinctId={row.distinct_id} /> {name}
      </Link>
      {notes.length > 0 && (
        <span className="block text-xs whitespace-nowrap text-ink-3">{notes.join(', ')}</span>
      )}
    </span>
  )
}

function clock(seconds: number): string {
  return clockTime(seconds * 1000)
}

/** Returns the path of a URL; invalid URLs stay unchanged. */
function pagePath(url: string): string {
  return URL.parse(url)?.pathname ?? url
}

/** Width (px) of a part of the activity bar with the gap after it. */
const partWidth = 4
/** Height (px) of the activity bar. */
const barHeight = 16

/** Shows the activity (0 to 1) in each part of a recording; a part without activity is a dot. */
function ActivityBar({ shares }: { shares: readonly number[] }) {
  const width = shares.length * partWidth
  return (
    <svg
      aria-hidden="true"
      className="block shrink-0"
      width={width}
      height={barHeight}
      viewBox={`0 0 ${width} ${barHeight}`}
    >
      {shares.map((share, index) => {
        const high = share > 0 ? 2 + share * (barHeight - 2) : 1
        const place = { x: index * partWidth, y: barHeight - high, width: partWidth - 1.5, height: high }
        return <rect key={index} {...place} rx="0.5" className={share > 0 ? 'fill-ink-3' : 'fill-idle'} />
      })}
    </svg>
  )
}
