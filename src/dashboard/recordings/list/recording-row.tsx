import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { SessionRecording } from '../../../contract/session-recording.ts'
import { clockTime } from '../../words/clock.ts'
import { useWaiting } from '../../ui/feedback/send-later.ts'
import { RelativeTime } from '../../ui/time.tsx'
import { count } from '../../words/amount.ts'
import { ActivityBar } from './activity-bar.tsx'
import { cellClass } from './columns.ts'
import type { Deed } from './deeds.ts'
import { recordingName } from '../../words/recording-name.ts'
import { RowMenu } from './row-menu.tsx'

export type RowHandlers = {
  /** `range`: everything from the last choice to this row. */
  onSelect: (id: string, range: boolean) => void
  onFocus: (id: string) => void
  onAct: (deed: Deed, rows: readonly SessionRecording[]) => void
}

type RecordingRowProps = RowHandlers & {
  row: SessionRecording
  /** Its place in the list, from 0. */
  index: number
  /** The list's address after the question mark. */
  list: string
  selected: boolean
  /** The keys act on it. */
  active: boolean
  isTabStop: boolean
}

export const RecordingRow = memo(function RecordingRow(props: RecordingRowProps) {
  const { row, index, list, selected, active, isTabStop, onSelect, onFocus, onAct } = props
  const waiting = useWaiting(row.id)
  const name = recordingName(row)
  return (
    <tr
      data-id={row.id}
      aria-rowindex={index + 2}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={() => onFocus(row.id)}
      className={`h-10 scroll-mt-10 scroll-mb-20 -outline-offset-2 ${selected ? 'bg-selected' : 'hover:bg-hover'} ${active ? 'shadow-[inset_2px_0_var(--color-accent)]' : ''} ${waiting === 'delete' ? '[&_a]:line-through' : ''}`}
    >
      <td className={cellClass('select')}>
        <label className="-my-3 -ml-2 flex h-10 items-center pl-2">
          <input
            type="checkbox"
            aria-label={`Select the recording of ${name}`}
            checked={selected}
            onChange={({ nativeEvent }) =>
              onSelect(row.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        </label>
      </td>
      <td className={cellClass('person')}>
        <Person row={row} name={name} search={{ list: list || undefined, row: index }} waiting={waiting} />
      </td>
      <td className={cellClass('start')}>
        <RelativeTime time={row.start_time} />
      </td>
      <td className={cellClass('length')}>
        <span className="flex items-center gap-2.5">
          <span className="@max-[520px]:hidden">
            <ActivityBar shares={row.activity} />
          </span>
          {clock(row.recording_duration)}
        </span>
      </td>
      <td className={cellClass('active')}>{clock(row.active_seconds)}</td>
      <td className={cellClass('idle')}>{clock(row.inactive_seconds)}</td>
      <td className={cellClass('clicks')}>{count(row.click_count)}</td>
      <td className={cellClass('keys')}>{count(row.keypress_count)}</td>
      <td className={cellClass('mouse')}>{count(row.mouse_activity_count)}</td>
      <td
        className={`${cellClass('errors')} ${row.console_error_count > 0 ? 'text-fail-ink' : 'text-ink-3'}`}
      >
        {count(row.console_error_count)}
      </td>
      <td className={cellClass('page')}>
        <span className="block truncate" title={row.start_url}>
          {pagePath(row.start_url)}
        </span>
      </td>
      <td className={cellClass('seen')}>
        {row.viewed === '' ? <span className="text-ink-3">not yet</span> : <RelativeTime time={row.viewed} />}
      </td>
      <td className={cellClass('actions')}>
        <RowMenu row={row} name={name} search={{ list: list || undefined, row: index }} onAct={onAct} />
      </td>
    </tr>
  )
})

type PersonProps = {
  row: SessionRecording
  name: string
  search: { list: string | undefined; row: number }
  waiting: string | null
}

function Person({ row, name, search, waiting }: PersonProps) {
  const notes = [
    waiting === 'delete' && 'about to be deleted',
    row.ongoing && 'ongoing',
    row.storage === 'object_storage_lts' && 'kept',
  ].filter(Boolean)
  return (
    <span className="flex items-baseline gap-2 @max-[520px]:block">
      <Link
        to="/recordings/$id"
        params={{ id: row.id }}
        search={search}
        preload={false}
        title={name}
        className={`block truncate hover:underline ${row.person.name ? 'font-medium' : ''}`}
      >
        {name}
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

/** The path of an address, or all of what is none. */
function pagePath(url: string): string {
  return URL.parse(url)?.pathname ?? url
}
